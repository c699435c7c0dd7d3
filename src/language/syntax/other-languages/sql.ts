const TAIL =
  /(?: where (?<where>.*?))?(?: group by (?<group>[\w.]+))?(?: order by (?<order>[\w.]+)(?: (?<direction>asc|desc))?)?(?: limit (?<limit>\d+))? ?$/
const SELECT = new RegExp(`^select (?<columns>.*?) from (?<entity>[A-Za-z_]\\w*)${TAIL.source}`, 'i')
const ONLY_TAIL = new RegExp(`^${TAIL.source}`, 'i')
const CONDITION = /^([\w.]+)\s*(not\s+in|in|not\s+like|i?like|is\s+not|is|<>|!=|<=|>=|=|<|>)\s*([^]+)$/i
const AGGREGATE = /^(count|sum|avg|min|max)\s*\(\s*([\w.*]*)\s*\)(?:\s+as\s+(\w+))?$/i
const COLUMN = /^([\w.]+)(?:\s+as\s+(\w+))?$/i

/** `SELECT … FROM … WHERE …` as a program; undefined for SQL that has no such form. */
export function sqlAsProgram(sql: string): string | undefined {
  const parts = SELECT.exec(sql.trim().replaceAll(/\s+/g, ' '))?.groups
  const { columns = '', entity = '', where, group } = parts ?? {}
  if (!parts) return undefined
  const chosen = columns.trim() === '*' ? [] : splitAt(columns).map((one) => one.trim())
  const aggregates = chosen.flatMap((one) => aggregate(one) ?? [])
  const plain = chosen.filter((one) => aggregate(one) === undefined)
  const named = plain.map(column)
  const braces = conditionsOf(where)
  if (braces === undefined || named.includes(undefined)) return undefined
  const grouped =
    aggregates.length === 0
      ? ''
      : group === undefined
        ? `.aggregate(${aggregates.join(', ')})`
        : `.group_by(${[group, ...aggregates].join(', ')})`
  const projected = grouped === '' && named.length > 0 ? `[${named.join(', ')}]` : ''
  return `${entity}${braces}${grouped}${sortAndLimit(parts)}${projected}`
}

/** `WHERE …`, `GROUP BY …`, `ORDER BY …`, `LIMIT …` behind rows as steps; undefined for other text. */
export function sqlTailAsSteps(text: string): string | undefined {
  const parts = ONLY_TAIL.exec(` ${text.trim().replaceAll(/\s+/g, ' ')}`)?.groups
  const braces = parts && conditionsOf(parts['where'])
  if (!parts || braces === undefined) return undefined
  const grouped = parts['group'] === undefined ? '' : `.group_by(${parts['group']}, count)`
  return `${braces}${grouped}${sortAndLimit(parts)}` || undefined
}

function sortAndLimit({ order, direction, limit }: Readonly<Record<string, string | undefined>>): string {
  const down = direction === undefined ? '' : `, ${direction.toLowerCase()}`
  const sorted = order === undefined ? '' : `.sort(${order}${down})`
  return limit === undefined ? sorted : `${sorted}.limit(${limit})`
}

/** The conditions in braces; undefined where one has no such form. */
function conditionsOf(where: string | undefined): string | undefined {
  if (where === undefined) return ''
  const conditions = where.split(/\s+and\s+/i).map(condition)
  return conditions.includes(undefined) ? undefined : `{${conditions.join(', ')}}`
}

function condition(text: string): string | undefined {
  const match = CONDITION.exec(text.trim())
  const [, field = '', operator = '', value = ''] = match ?? []
  if (!match || /\sor\s/i.test(value)) return undefined
  const word = operator.toLowerCase().replace(/\s+/g, ' ')
  if (word === 'in' || word === 'not in')
    return `${field}${word === 'in' ? '=' : '!='}${value.trim().replace(/^\(/, '[').replace(/\)$/, ']')}`
  if (word === 'like' || word === 'ilike') return `${field}~${value.replaceAll('%', '')}`
  if (word === 'not like') return undefined
  if (word === 'is' || word === 'is not') return `${field}${word === 'is' ? '=' : '!='}null`
  return `${field}${operator === '<>' ? '!=' : operator}${value.trim()}`
}

function aggregate(text: string): string | undefined {
  const [, name, field = '', as] = AGGREGATE.exec(text) ?? []
  if (name === undefined) return undefined
  const call = name.toLowerCase()
  if (call === 'count') return `${as ?? 'n'}=count`
  return `${as ?? `${call}_${field.replaceAll('.', '_')}`}=${call}(${field})`
}

function column(text: string): string | undefined {
  const [, path, as] = COLUMN.exec(text) ?? []
  return path === undefined ? undefined : as === undefined ? path : `${as}=${path}`
}

/** The parts between commas outside of brackets. */
function splitAt(list: string): readonly string[] {
  return list.split(/,(?![^(]*\))/)
}
