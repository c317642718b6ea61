import type {Interfaces} from '@oclif/core'

/** The values of flags as oclif parses them, inferred from the flags; a flag that may be absent is optional. */
export type FlagValues<Flags> =
  Flags extends Interfaces.FlagInput<infer Values> ? Readonly<Optional<Values> & Required<Values>> : never

type Optional<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Values[Name]
}
type Required<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name]
}
