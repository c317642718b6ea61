import type {Diagnostic} from '../../diagnostic.js'
import {firstWord} from '../../unpack/metadata-files.js'
import type {Described} from '../../unpack/placed-files.js'
import {baseName, directoryOf, displayPath, type PackageFile} from '../../unpack/package-file.js'
import type {Candidate, DeclaredCrd} from './candidate.js'
import {listSome} from '../../text.js'
import {type MetadataUses, metadataUses} from './metadata-uses.js'
import {isApiVersion} from './name-parts.js'

/** Checks that metadata files apply to a CRD. */
export function checkMetadata(candidate: Candidate): Diagnostic[] {
  const {crds, examination} = candidate
  const {groups, resources, icons, uiSchemas} = examination.metadata
  const uses = metadataUses(crds, examination.metadata)
  const byName = [...icons.all, ...uiSchemas.all]
  return [
    ...(candidate.knowsAllCrds ? orphans(candidate, uses) : []),
    ...[...groups.all, ...resources.all].flatMap(({file}) => shadowed(file, uses)),
    ...[...resources.all, ...byName].flatMap(({file}) => otherVersion(file, uses)),
  ]
}

/** An icon next to app.yaml is the icon of the package. */
function orphans({crds, examination}: Candidate, uses: MetadataUses): Diagnostic[] {
  const {groups, resources, icons, uiSchemas} = examination.metadata
  const named = namedCrds(crds)
  const unmet = ({file}: Described<unknown>) => uses.meantFor(file).length === 0
  const orphan = (file: PackageFile, reason: string) => {
    const message = `the file matches no CRD: ${reason}`
    return {severity: 'warning' as const, rule: 'metadata-orphan', message, file: displayPath(file)}
  }
  const byPlace = [...groups.all, ...icons.all.filter(isBelow), ...uiSchemas.all].filter(unmet)
  return [
    ...byPlace.map(({file, word}) =>
      orphan(file, word === '' ? noneBelow(file) : noneNamed(file, word, named)),
    ),
    ...resources.all
      .filter(unmet)
      .map(({file, word}) => orphan(file, word === '' ? 'it has no id' : noneNamed(file, word, named))),
  ]
}

function isBelow({file}: Described<unknown>): boolean {
  return directoryOf(file).length > 0
}

interface NamedCrds {
  readonly kinds: ReadonlyMap<string, DeclaredCrd>
  readonly plurals: ReadonlyMap<string, DeclaredCrd>
}

function namedCrds(crds: readonly DeclaredCrd[]): NamedCrds {
  return {
    kinds: new Map(crds.map(crd => [crd.definition.kind.toLowerCase(), crd])),
    plurals: new Map(crds.map(crd => [crd.definition.plural, crd])),
  }
}

function noneBelow(file: PackageFile): string {
  return `${folderOf(file)} and the folders below have none`
}

function noneNamed(file: PackageFile, word: string, {kinds, plurals}: NamedCrds): string {
  const lower = word.toLowerCase()
  if (lower !== word && kinds.has(lower)) return `its name must start with ${lower}`
  if (lower === 'icon')
    return 'an icon for a whole folder must be named icon.svg (or .png, .jpg, .gif) in lowercase'
  const elsewhere = kinds.get(word)
  if (elsewhere !== undefined)
    return `the CRD of ${elsewhere.definition.kind} is in ${displayPath(elsewhere.file)}`
  const kind = plurals.get(word)?.definition.kind
  if (kind !== undefined) return `${word} is the plural of ${kind}, but its name must start with the kind`
  return `no CRD in ${folderOf(file)} or below has the kind ${word}`
}

function folderOf(file: PackageFile): string {
  return displayPath(file).slice(0, -baseName(file).length - 1)
}

/** A CRD uses one group.yaml and one resource.yaml; several icons in a folder are for several kinds. */
function shadowed(file: PackageFile, uses: MetadataUses): Diagnostic[] {
  const described = uses.meantFor(file)
  if (described.length === 0 || uses.selectedFor(file).length > 0) return []
  const kinds = listSome(described.map(({definition}) => definition.kind))
  const message = `the file is never used: another file takes precedence for ${kinds}`
  return [{severity: 'warning' as const, rule: 'metadata-shadowed', message, file: displayPath(file)}]
}

/** The version in `<kind>.<version>.icon.svg` and similar names must exist. */
function otherVersion(file: PackageFile, uses: MetadataUses): Diagnostic[] {
  const [kind = '', version = ''] = baseName(file).split('.')
  const described = uses
    .meantFor(file)
    .filter(({definition}) => firstWord(definition.kind.toLowerCase()) === kind)
  if (!isApiVersion(version) || described.length === 0) return []
  const versions = described.flatMap(({definition}) => definition.versions)
  if (versions.includes(version)) return []
  const message = `the file name has version ${version}, but ${kind} has ${listSome([...new Set(versions)])}`
  return [{severity: 'warning' as const, rule: 'metadata-version', message, file: displayPath(file)}]
}
