/** The name, or the first of its numbered forms (`name_2`, `name_3`, …) that is not taken. */
export function firstFree(
  name: string,
  isTaken: (name: string) => boolean,
  numbered = (plain: string, number: number) => `${plain}_${number}`,
): string {
  let free = name
  for (let number = 2; isTaken(free); number++) free = numbered(name, number)
  return free
}
