const SELECT =
  /^select (?<columns>.*?) from (?<entity>[A-Za-z_]\w*)(?: where (?<where>.*?))?(?: group by (?<group>[\w.]+))?(?: order by (?<order>[\w.]+)(?: (?<direction>asc|desc))?)?(?: limit (?<limit>\d+))? ?$/i
const CONDITION = /^([\w.]+)\s*(not\s+in|in|not\s+like|i?like|is\s+not|is|<>|!=|<=|>=|=|<|>)\s*([^]+)$/i
const AGGREGATE = /^(count|sum|avg|min|max)\s*\(\s*([\w.*]*)\s*\)(?:\s+as\s+(\w+))?$/i
const COLUMN = /^([\w.]+)(?:\s+as\s+(\w+))?$/i

/** `SELECT … FROM … WHERE …` as a program; undefined for SQL that has no such form. */
export function sqlAsProgram(sql: string): string | undefined {
  const parts = SELECT.exec(sql.trim().replaceAll(/\s+/g, ' '))?.groups
  const { columns = '', entity = '', where, group, order, direction, limit } = parts ?? {}
  if (!parts) return undefined
  const conditions = where === undefined ? [] : where.split(/\s+and\s+/i).map(condition)
  const chosen = columns.trim() === '*' ? [] : splitAt(columns).map((one) => one.trim())
  const aggregates = chosen.flatMap((one) => aggregate(one) ?? [])
  const plain = chosen.filter((one) => aggregate(one) === undefined)
  const named = plain.map(column)
  if (conditions.includes(undefined) || named.includes(undefined)) return undefined
  const braces = conditions.length === 0 ? '' : `{${conditions.join(', ')}}`
  const grouped =
    aggregates.length === 0
      ? ''
      : group === undefined
        ? `.aggregate(${aggregates.join(', ')})`
        : `.group_by(${[group, ...aggregates].join(', ')})`
  const sorted =
    order === undefined
      ? ''
      : `.sort(${order}${direction === undefined ? '' : `, ${direction.toLowerCase()}`})`
  const limited = limit === undefined ? '' : `.limit(${limit})`
  const projected = grouped === '' && named.length > 0 ? `[${named.join(', ')}]` : ''
  return `${entity}${braces}${grouped}${sorted}${limited}${projected}`
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
