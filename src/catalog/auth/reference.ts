import type { SecretReference } from './auth.ts'

/** The usual form of an environment variable's name: words in capitals. */
const NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
/** Letters and digits mixed in so long a word: a key rather than a name. */
const KEY = /(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{16,}/

/** The reference as a message shows it: what may be a secret that was pasted in place of its name is never repeated. */
export function shownReference(reference: SecretReference): string {
  const [scheme = '', ...rest] = reference.split(':')
  const name = rest.join(':')
  const isName =
    scheme === 'file' || scheme === 'login' || (scheme === 'env' && NAME.test(name) && !KEY.test(name))
  if (isName) return `\`${reference}\``
  return `${scheme === 'env' ? '`env:…`' : '`…`'} (not shown: it looks like a secret itself)`
}
