import {DECLARATION_FILE} from '../../declaration/declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {listNames, shellWord} from '../../text.js'
import {isKustomization} from '../../usage/objects/kustomization.js'
import type {HomePlace} from '../folder/home.js'

/**
 * Warns of what a new home does that its users hardly want. `paths` are those of all files of the repository.
 */
export function newHomeWarnings(
  place: Pick<HomePlace, 'folder'>,
  paths: readonly string[],
): readonly Diagnostic[] {
  return [...secondHomeWarnings(place, paths), ...bootstrapWarnings(place, paths)]
}

/** The root is the default where no folder above has a declaration: other homes below it were forgotten then. */
function secondHomeWarnings(
  {folder}: Pick<HomePlace, 'folder'>,
  paths: readonly string[],
): readonly Diagnostic[] {
  const others = paths.filter(path => path.endsWith(`/${DECLARATION_FILE}`)).map(parentOf)
  const [other] = others
  if (folder !== '' || other === undefined) return []
  return [
    {
      severity: 'warning',
      rule: 'second-home',
      message: `the commit creates a home in the root of the repository, beside ${listNames(others)}: pass --path ${shellWord(other)} to change that one`,
      file: DECLARATION_FILE,
    },
  ]
}

/** `flux bootstrap` writes this file two levels below the folder that it applies: `PATH/NAMESPACE/gotk-sync.yaml`. */
const BOOTSTRAP_FILE = 'gotk-sync.yaml'

/**
 * Warns of a new home in a folder that `flux bootstrap` applies. Without a `kustomization.yaml`, Flux applies all YAML files of a folder; it
 * fails at a declaration, which is not a Kubernetes object, and at the top of a tree, and applies nothing of the folder any more.
 */
function bootstrapWarnings(
  {folder}: Pick<HomePlace, 'folder'>,
  paths: readonly string[],
): readonly Diagnostic[] {
  const listing = new Set(paths.filter(isKustomization).map(parentOf))
  return paths.flatMap(file => {
    if (!`/${file}`.endsWith(`/${BOOTSTRAP_FILE}`)) return []
    const applied = parentOf(parentOf(file))
    const isApplied = foldersTo(folder).includes(applied)
    if (!isApplied || foldersTo(folder).some(one => isInside(one, applied) && listing.has(one))) return []
    const name = applied === '' ? 'the repository' : applied
    return {
      severity: 'warning',
      rule: 'home-in-bootstrap',
      message: `flux bootstrap applies all files of ${name}, and fails at the declaration of a home there: pass --path with a folder outside of it, or list the resources of ${name} in a kustomization.yaml`,
      file,
    }
  })
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Returns a folder and all folders that contain it; the root is empty. */
function foldersTo(folder: string): readonly string[] {
  return folder === '' ? [''] : [...foldersTo(parentOf(folder)), folder]
}

function isInside(folder: string, outer: string): boolean {
  return outer === '' || folder === outer || folder.startsWith(`${outer}/`)
}
