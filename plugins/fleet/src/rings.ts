import {asObject, CrossplaneError, type JsonValue, quoted, readYaml} from 'kubectl-crossplane/plugin'

/** The name of the file in a repository. */
export const RINGS_FILE = 'crossplane-rings.yaml'
export const MAX_RINGS_BYTES = 1 << 20
const MAX_RINGS = 100
const MAX_HOMES = 1000
const MAX_TEXT = 500

/** A home, and the context of the kubeconfig for its cluster. */
export interface RingHome {
  /** The folder, relative to the file. */
  readonly path: string
  readonly context?: string
}

/** Homes that get packages together, after those of the ring before. */
export interface Ring {
  readonly name: string
  readonly homes: readonly RingHome[]
}

/** Reads a file of rings. Throws `input-invalid` with all errors. */
export function readRings(bytes: Uint8Array, file: string): readonly Ring[] {
  const [document, ...others] = readYaml(bytes, file)
  const errors: string[] = []
  const value = document?.value
  if (others.length > 0) errors.push('the file has more than one document')
  const {apiVersion, kind, rings, ...more} = asObject(value)
  if (apiVersion !== 'packages.kubectl-crossplane.dev/v1alpha1' || kind !== 'PackageRings')
    errors.push('it is not a PackageRings of packages.kubectl-crossplane.dev/v1alpha1')
  unknownFields(more, '', errors)
  const read = list(rings, 'rings', MAX_RINGS, errors).map((ring, index) =>
    readRing(ring, `rings[${index}]`, errors),
  )
  const homes = read.flatMap(ring => ring.homes.map(({path}) => path))
  if (homes.length > MAX_HOMES) errors.push(`there are more than ${MAX_HOMES} homes`)
  duplicates(homes, 'home', errors)
  duplicates(
    read.map(({name}) => name),
    'ring',
    errors,
  )
  if (errors.length > 0) throw invalid(file, errors)
  return read
}

function readRing(value: JsonValue, at: string, errors: string[]): Ring {
  const {name, homes, ...more} = asObject(value)
  unknownFields(more, at, errors)
  return {
    name: text(name, `${at}.name`, errors),
    homes: list(homes, `${at}.homes`, MAX_HOMES, errors).map((home, index) =>
      readHome(home, `${at}.homes[${index}]`, errors),
    ),
  }
}

function readHome(value: JsonValue, at: string, errors: string[]): RingHome {
  const {path, context, ...more} = asObject(value)
  unknownFields(more, at, errors)
  const folder = text(path, `${at}.path`, errors)
  // A file of a repository must not name what is outside of it.
  if (folder.startsWith('/') || folder.split('/').some(part => ['', '.', '..', '.git'].includes(part)))
    errors.push(`${at}.path ${quoted(folder)} is not a folder below that of the file`)
  return {
    path: folder,
    ...(context === undefined ? {} : {context: text(context, `${at}.context`, errors)}),
  }
}

function list(
  value: JsonValue | undefined,
  at: string,
  most: number,
  errors: string[],
): readonly JsonValue[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value as readonly JsonValue[]
  errors.push(`${at} is not a list of 1 to ${most}`)
  return []
}

/** Text that is shown and compared: characters that a terminal obeys have no place in it. */
function text(value: JsonValue | undefined, at: string, errors: string[]): string {
  if (typeof value === 'string' && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u.test(value) && value.length <= MAX_TEXT)
    return value
  errors.push(`${at} is not a line of text`)
  return ''
}

function unknownFields(more: Readonly<Record<string, unknown>>, at: string, errors: string[]): void {
  for (const field of Object.keys(more).slice(0, 5))
    errors.push(`${at === '' ? '' : `${at}: `}unknown field ${quoted(field.slice(0, MAX_TEXT))}`)
}

function duplicates(names: readonly string[], what: string, errors: string[]): void {
  const twice = new Set(names.filter((name, index) => name !== '' && names.indexOf(name) !== index))
  for (const name of twice) errors.push(`the ${what} ${quoted(name)} is listed twice`)
}

const MAX_ERRORS = 20

function invalid(file: string, errors: readonly string[]): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read the rings ${file}`, {
    diagnostics: errors
      .slice(0, MAX_ERRORS)
      .map(message => ({severity: 'error' as const, rule: 'rings-syntax', message, file})),
    suggestions: ['Correct the file; docs/fleets.md has all fields.'],
  })
}
