/** A type of Go with its fields. */
export interface GoStruct {
  readonly fields: ReadonlyMap<string, GoField>
  readonly alwaysWritten: readonly GoField[]
}

/** A field of such a type. */
export interface GoField {
  readonly name: string
  /** Its place in the order in which the fields are written. */
  readonly index: number
  readonly type: string
  readonly isOmittedIfAbsent: boolean
  readonly isOmittedIfEmpty: boolean
}

/** The type expression of each field, by its name. */
type Expressions = Readonly<Record<string, string>>

/** The types of a table, each parsed when it is first needed. */
export class GoStructs {
  readonly #types: Readonly<Record<string, Expressions>>
  readonly #parsed = new Map<string, GoStruct>()

  private constructor(types: Readonly<Record<string, Expressions>>) {
    this.#types = types
  }

  /** Returns the types of a table, the same ones for one table. */
  static of(types: Readonly<Record<string, Expressions>>): GoStructs {
    const cached = tables.get(types)
    if (cached !== undefined) return cached
    const structs = new GoStructs(types)
    tables.set(types, structs)
    return structs
  }

  /** Returns the type of a name; one without fields if there is none. */
  named(type: string): GoStruct {
    const cached = this.#parsed.get(type)
    if (cached !== undefined) return cached
    const struct = parseStruct(this.#types[type] ?? {})
    this.#parsed.set(type, struct)
    return struct
  }
}

const tables = new WeakMap<Readonly<Record<string, Expressions>>, GoStructs>()

function parseStruct(expressions: Expressions): GoStruct {
  const fields = Object.entries(expressions).map(([name, expression], index) =>
    parseField(name, index, expression),
  )
  return {
    fields: new Map(fields.map(field => [field.name, field])),
    alwaysWritten: fields.filter(field => !field.isOmittedIfAbsent),
  }
}

function parseField(name: string, index: number, expression: string): GoField {
  const isOmittedIfEmpty = expression.endsWith('?')
  const isOmittedIfAbsent = isOmittedIfEmpty || expression.endsWith('*')
  const type = isOmittedIfAbsent ? expression.slice(0, -1) : expression
  return {name, index, type, isOmittedIfAbsent, isOmittedIfEmpty}
}
