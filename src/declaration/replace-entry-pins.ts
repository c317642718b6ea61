import {CrossplaneError} from '../errors.js'
import type {XpkgPin, XpkgResolver} from '../xpkg/pins.js'
import {readYaml} from '../yaml/read-yaml.js'
import {ownEntries} from './add-package.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'
import type {DeclaredXpkgSettings} from './xpkg-settings.js'

/** What a command line says about all packages of a declaration. */
interface GivenSettings {
  readonly resolver?: XpkgResolver
  readonly pin?: XpkgPin
}

/** The pin that a set cannot have with a resolver. */
const EXCLUDED: Readonly<Record<XpkgResolver, XpkgPin>> = {off: 'tag', on: 'digest'}

/**
 * Returns a declaration in which entries with a pin of their own that a change of the resolver excludes have that of the set.
 * Throws `usage` if settings are not to be replaced (without `replacing`, the command cannot), and `input-invalid` for a pin that is not plain text on the line of its key.
 * Entries of a base stay: other declarations share their file.
 */
export function withReplacedPins(
  file: DeclarationFile,
  {resolver, pin}: GivenSettings = {},
  replacing?: {readonly replaces: boolean},
): DeclarationFile {
  if (resolver === undefined || replacing === undefined) return file
  const {packages, xpkg = {}} = readDeclaration(file.name, file.bytes)
  const excluded = EXCLUDED[resolver]
  const ofSet = pin ?? xpkg.pin
  const value = ofSet === undefined || ofSet === excluded ? 'config' : ofSet
  return packages.slice(0, ownEntries(file)).reduce((edited, entry, index) => {
    if (entry.pin !== excluded) return edited
    if (!replacing.replaces) throw excludedPin(file, entry.package ?? entry.crd ?? '', {resolver, excluded})
    return withPin(edited, index, excluded, value)
  }, file)
}

/**
 * Returns settings with the pin of the set replaced as well, where a change of the resolver excludes the one that the declaration has and
 * the command line has none. Throws `usage` if settings are not to be replaced.
 */
export function withFittingPin(
  file: DeclarationFile,
  settings: DeclaredXpkgSettings | undefined,
  replacing?: {readonly replaces: boolean},
): DeclaredXpkgSettings | undefined {
  const resolver = settings?.resolver
  if (resolver === undefined || settings?.pin !== undefined || replacing === undefined) return settings
  const excluded = EXCLUDED[resolver]
  if (readDeclaration(file.name, file.bytes).xpkg?.pin !== excluded) return settings
  if (!replacing.replaces) throw excludedPin(file, 'xpkg', {resolver, excluded})
  return {...settings, pin: 'config'}
}

function withPin(file: DeclarationFile, index: number, before: XpkgPin, pin: XpkgPin): DeclarationFile {
  const {name, bytes} = file
  const line = readYaml(bytes, name)[0]?.lineOf(['packages', index, 'pin']) ?? 1
  const pattern = new RegExp(`(\\bpin["']?[ \\t]*:[ \\t]*["']?)${before}(?![\\w.-])`)
  const edited = linesOf(textOf(bytes))
    .map((text, at) => (at === line - 1 ? text.replace(pattern, (_, key: string) => key + pin) : text))
    .join('')
  const declaration = readDeclaration(name, bytes)
  const packages = declaration.packages.map((entry, at) => (at === index ? {...entry, pin} : entry))
  if (!isDeclaration(edited, {...declaration, packages})) throw notEditable(name, line, pin)
  return {name, bytes: Buffer.from(edited)}
}

function excludedPin(
  {name}: DeclarationFile,
  what: string,
  {resolver, excluded}: {readonly resolver: XpkgResolver; readonly excluded: XpkgPin},
): CrossplaneError {
  const message = `--resolver=${resolver} and pin: ${excluded} of ${what} in ${name} are mutually exclusive`
  return new CrossplaneError('usage', message, {
    suggestions: ['Pass --change-settings to replace it, or leave out the flag.'],
  })
}

function notEditable(name: string, line: number, pin: XpkgPin): CrossplaneError {
  const message = 'the value of pin is not plain text on the line of its key'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, line, field: 'pin'}],
    suggestions: [`Edit line ${line} of ${name} by hand: pin: ${pin}`],
  })
}
