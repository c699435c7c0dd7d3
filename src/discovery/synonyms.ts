import { stem } from './stem.ts'

/** Nouns for the same thing in different products, by topic. */
const SAME: readonly string[] = [
  // Messages and meetings
  'message mail email dm chat',
  'conversation thread discussion',
  'inbox mailbox',
  'newsletter mailing campaign',
  'subscriber recipient',
  'event meeting appointment',
  'calendar schedule agenda',
  'reminder alarm alert notification',
  'reaction emoji',
  'channel room',
  'attachment enclosure',
  // Work
  'issue bug ticket defect incident',
  'task todo chore',
  'sprint iteration cycle',
  'epic initiative objective goal',
  'milestone deadline',
  'status state stage',
  'board kanban',
  'worklog timesheet hour',
  'time timer duration stopwatch hour',
  'history changelog audit log activity',
  'automation workflow pipeline',
  'hook webhook callback subscription',
  'checklist subtask',
  'estimate point',
  // Code and machines
  'repository repo codebase project',
  'job build pipeline',
  'workflow ci pipeline',
  'commit change revision',
  'contributor committer',
  'snippet gist paste',
  'release version',
  'server machine vm instance droplet host',
  'cluster kubernetes',
  'domain zone site hostname',
  'firewall waf',
  'certificate ssl tls',
  'database db',
  'key token secret credential',
  'error crash exception failure',
  'metric measurement',
  // Documents and files
  'document doc page',
  'file upload asset',
  'folder directory',
  'spreadsheet sheet workbook',
  'slide deck presentation',
  'note memo',
  'paragraph block section',
  'image photo picture sprite',
  'video clip recording',
  'design mockup prototype wireframe',
  'comment reply remark feedback annotation',
  'label tag',
  'link url bookmark',
  // People
  'user person people member account profile',
  'member colleague teammate collaborator participant',
  'team group squad',
  'organization organisation company',
  'customer client buyer shopper',
  'employee staff worker',
  'contact lead prospect',
  'role permission right access',
  'assignee owner',
  'author writer',
  // Trade and money
  'product article goods merchandise',
  'variant variation sku',
  'order purchase',
  'cart basket',
  'review rating feedback opinion',
  'complaint claim',
  'payment charge transaction',
  'transfer transaction',
  'invoice bill',
  'refund reimbursement return',
  'subscription plan',
  'price cost',
  'stock inventory availability',
  'shipment delivery parcel',
  'discount coupon voucher',
  'balance funds',
  'account wallet',
  'shop store',
  'supplier vendor',
  // Things of the world
  'location place area spot',
  'address street',
  'country nation',
  'movie film',
  'show series',
  'song track music',
  'artist band musician singer',
  'lyric word verse chorus',
  'post article story',
  'community subreddit forum',
  'creature monster beast',
  'species race',
  'ability skill power',
  'move attack',
  'weapon equipment gear',
  'spell magic',
  'character figure',
  'fruit berry',
  'beer brewery pub',
  'recipe dish meal',
  'book novel volume title',
  'game match',
  'color colour hue',
  // What is done
  'upload attach',
  'reply respond answer',
  'forward resend',
  'schedule queue',
  'reserve reservation booking',
  'launch trigger dispatch deploy',
  'duplicate clone fork copy',
  'approve accept',
  'like upvote star favorite favourite',
  'follow subscribe watch',
  'restock refill replenish',
  'forecast predict',
  'recommend refer',
  'evolve evolution',
  'trash bin',
]

/** Wider terms of narrower words: a catalog with the wider term may contain the narrower thing. */
const WIDER: Readonly<Record<string, string>> = {
  message: 'newsletter receipt announcement note forward digest tell notify inform announce ping',
  inbox: 'spam junk',
  event: 'call invitation rsvp attendee guest slot rehearsal booking workshop webinar',
  calendar: 'availability',
  file: 'deck slide presentation spreadsheet pdf image photo video recording document contract',
  document: 'paper essay manuscript report wiki handbook manual guide minutes specification proposal',
  page: 'wiki handbook row record entry minutes specification proposal',
  issue: 'blocker backlog outage problem story request regression complaint',
  task: 'assignment errand deadline due overdue',
  project: 'roadmap',
  status: 'column progress',
  state: 'column',
  release: 'changelog',
  commit: 'push',
  review: 'reviewer approval approver verdict',
  workflow: 'deployment build action',
  run: 'build test',
  job: 'test',
  repository: 'code source',
  notification: 'news alert',
  user: 'colleague teammate manager boss employee contact friend handle username reporter reviewer',
  member: 'attendee guest',
  account: 'handle username',
  comment: 'nit critique suggestion annotation answer',
  post: 'blog thread submission meme',
  location: 'planet city town city village country region world cave route',
  character: 'hero villain resident inhabitant',
  item: 'potion loot',
  equipment: 'sword axe bow dagger armor armour shield',
  monster: 'dragon goblin',
  comic: 'strip cartoon',
  track: 'tune hit',
  order: 'parcel shipment delivery reservation',
  product: 'sku stock assortment',
  balance: 'saldo holding',
}

const same = new Map<string, Set<string>>()
const wider = new Map<string, Set<string>>()

function put(map: Map<string, Set<string>>, word: string, others: readonly string[]): void {
  const known = map.get(word) ?? new Set()
  for (const other of others) if (other !== word) known.add(other)
  map.set(word, known)
}

for (const group of SAME) {
  const members = group.split(' ').map(stem)
  for (const one of members) put(same, one, members)
}
for (const [wide, narrow] of Object.entries(WIDER)) {
  for (const one of narrow.split(' ')) put(wider, stem(one), [stem(wide)])
}

/** The stems of a term's synonyms. */
export const synonymsOf = (root: string): readonly string[] => [...(same.get(root) ?? [])]

/** The stems of a term's wider terms. */
export const widerThan = (root: string): readonly string[] => [...(wider.get(root) ?? [])]
