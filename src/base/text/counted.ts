/** A number with its noun: `1 warning`, `2 warnings`, `3 entities`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
