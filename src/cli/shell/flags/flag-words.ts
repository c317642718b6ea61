/** The values of flags; of one that can be repeated, a list. */
type Values<Name extends string> = Partial<Record<Name, string | readonly string[] | undefined>>

/** Returns flags and their values as words of a command line that repeats them. */
export function flagWords<Name extends string>(
  flags: Readonly<Values<Name>>,
  names: readonly Name[],
): readonly string[] {
  return names.flatMap(name => {
    const value: string | readonly string[] = flags[name] ?? []
    return [value].flat().flatMap(text => [`--${name}`, text])
  })
}
