import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {installKey, type Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {listSome} from '../../text.js'
import {entriesFor} from './installed-entries.js'

/**
 * Returns a rejection for each install that leaves the lock at once, with its controller; `removed` is the one that was
 * uninstalled in steps, as NAMESPACE/NAME.
 */
export function lostInstalls(
  before: Lock | undefined,
  after: Lock,
  removed: string | undefined,
): readonly Diagnostic[] {
  const left = new Set(after.packages.flatMap(({installs}) => installs.map(installKey)))
  return (before?.packages ?? []).flatMap(({identity, tag, installs}) =>
    installs.flatMap(install => {
      const key = installKey(install)
      return left.has(key) || key === removed ? [] : [lost(key, `${identity}:${tag}`)]
    }),
  )
}

function lost(key: string, reference: string): Diagnostic {
  const [namespace = '', name = ''] = key.split('/')
  return {
    severity: 'error',
    rule: 'unused-dependency',
    message: `${key} would be removed at once, while custom resources can exist: nothing requires it any more`,
    suggestions: [
      `Run package install ${reference} ${name} --namespace ${namespace} with the same --git, then this command again: it stays, and can be uninstalled in steps.`,
    ],
  }
}

/** Returns a rejection for each install that is being uninstalled and that others require, except for the install `key`. */
export function drainingDependencies(
  file: DeclarationFile,
  lock: Lock,
  key: string | undefined,
): readonly Diagnostic[] {
  const declaration = readDeclaration(file.name, file.bytes)
  return lock.packages.flatMap(({identity, installs}) =>
    installs.flatMap(install => {
      const dependents = Object.keys(install.for)
      if (dependents.length === 0 || installKey(install) === key) return []
      const marked = entriesFor({...install, identity}, declaration).filter(({entry}) => entry.draining)
      return marked.map(({entry}) => draining(installKey(install), dependents, entry.crdsOnly === true, file))
    }),
  )
}

function draining(
  key: string,
  dependents: readonly string[],
  hasCrdsOnly: boolean,
  {name}: DeclarationFile,
): Diagnostic {
  const marks = hasCrdsOnly ? 'draining and crdsOnly' : 'draining'
  return {
    severity: 'error',
    rule: 'draining-dependency',
    message: `${key} is being uninstalled, but required by ${listSome(dependents)}`,
    suggestions: [`Remove ${marks} from its entry in ${name}, commit that, and run the command again.`],
  }
}
