import type {Diagnostic} from '../diagnostic.js'
import {present} from '../present.js'
import type {Era} from '../render/era.js'
import type {StackKinds} from '../locate/template-stack.js'
import type {SetObject} from '../render/install-set.js'
import type {Install} from '../render/package-record.js'
import {assumedInstall, type Assumption} from './assumed-install.js'
import type {InspectReport} from './inspect-report.js'
import {objectCounts} from './object-counts.js'
import {packageFacts, type PackageOrigin} from './package-facts.js'
import {permissions} from './permissions.js'
import {providedCrds} from './provided-crds.js'
import {requirements} from './requirements.js'
import {type Runs, runs} from './runs.js'

/** A package, its origin, and the result of installing it. */
export interface Inspected {
  readonly era: Era
  readonly origin: PackageOrigin
  readonly install: Install
  /** Values of the install that are assumed because neither the user nor the package sets them. */
  readonly assumed: readonly Assumption[]
  /** The install's objects with the default settings, but with core permissions granted. */
  readonly objects: readonly SetObject[]
  readonly warnings: readonly Diagnostic[]
  /** The kinds that the templates of a template stack create. */
  readonly templates?: StackKinds
}

/**
 * Reports what a package includes, requires, runs and is permitted. The same package gives the same report on every
 * machine.
 */
export function inspectPackage({
  era,
  origin,
  install,
  assumed,
  objects,
  warnings,
  templates = {},
}: Inspected): InspectReport {
  return {
    package: packageFacts(origin, install, !assumed.includes('version')),
    install: assumedInstall(era, install, assumed),
    provides: providedCrds(install.package.crds, objects),
    requires: requirements(install.package),
    runs: withTemplates(runs(era, install, objects, !assumed.includes('image')), templates),
    permissions: permissions(install, objects),
    objects: objectCounts(objects),
    warnings,
  }
}

function withTemplates(facts: Runs, {creates, unread}: StackKinds): Runs {
  const {engine} = facts
  return engine === undefined ? facts : {...facts, engine: {...engine, ...present({creates, unread})}}
}
