/** The seed that `api:Entity` names; undefined for other texts. The id of a catalog may hold colons, the name of an entity none. */
export function seedIn(text: string): { readonly api: string; readonly entity: string } | undefined {
  const at = text.lastIndexOf(':')
  return at > 0 && at < text.length - 1 ? { api: text.slice(0, at), entity: text.slice(at + 1) } : undefined
}
