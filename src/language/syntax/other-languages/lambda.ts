const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/
const CONDITION = /^!?\(?\s*([\w.]+)\s*(===|!==|==|!=|<=|>=|<|>)\s*([^&|]+?)\)?$/
const INCLUDES = /^([\w.]+)\.(?:includes|contains|startsWith)\((.+)\)$/
/** Longer functions are not translated. */
const LONGEST = 500
const FILTERS = /^(?:filter|where|find)$/
const LOOPS = /^(?:for_?each|each|map)$/i

/** `.name(row => body)` of other languages as what may follow rows; undefined where there is no such form. */
export function lambdaAsSegment(name: string, row: string, body: string): string | undefined {
  if (body.length > LONGEST) return undefined
  const own = new RegExp(`\\b${row}\\.`, 'g')
  const text = body
    .trim()
    .replace(/^\{|\}$/g, '')
    .trim()
  if (FILTERS.test(name)) {
    const conditions = text
      .replace(own, '')
      .split(/\s*&&\s*/)
      .map(condition)
    return conditions.includes(undefined)
      ? undefined
      : `{${conditions.join(', ')}}${name === 'find' ? '.limit(1)' : ''}`
  }
  const plain = text.replace(own, '')
  if (PATH.test(plain) && plain !== text) return `[${plain}]`
  const members = plain.replace(/^\(?\{?|\}?\)?$/g, '')
  if (/^\(?\{?\s*[A-Za-z_]\w*\s*:/.test(body.trim()) && own.test(body)) {
    const columns = members.split(',').map((one) => one.trim().replace(/\s*:\s*/, '='))
    return columns.every((one) => /^\w+=[\w.]+$/.test(one)) ? `[${columns.join(', ')}]` : undefined
  }
  return LOOPS.test(name) && text.includes('(') ? ` => ${text.replace(own, '_.')}` : undefined
}

function condition(text: string): string | undefined {
  const contains = INCLUDES.exec(text)
  if (contains) return `${contains[1]}~${contains[2]}`
  const [, path, operator = '', value = ''] = CONDITION.exec(text) ?? []
  return path === undefined ? undefined : `${path}${operator.replace(/^(=|!=)=+$/, '$1')}${value.trim()}`
}
