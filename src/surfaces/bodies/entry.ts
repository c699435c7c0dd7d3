/** A catalog as JSON shows it: its id is `entry_id`, as in the registry of the HTTP API and in seeds. */
export function toEntry<Listed extends { readonly id: string }>({
  id,
  ...rest
}: Listed): { readonly entry_id: string } & Omit<Listed, 'id'> {
  return { entry_id: id, ...rest }
}
