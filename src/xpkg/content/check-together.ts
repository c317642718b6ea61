import {quoted} from '../../text.js'
import type {DiagnosticCollector} from '../../unpack/diagnostics.js'
import {CONSTRAINT_RULES} from '../constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../constraints/constraint.js'
import {readVersion} from '../constraints/version.js'
import {derivedName} from '../package-name.js'
import {belongsIn} from './object-kinds.js'
import type {Xpkg, XpkgObject} from './xpkg.js'

type Place = Pick<XpkgObject, 'file' | 'line'>
type Severity = 'error' | 'warning'

/** Reports objects that do not belong into the package, or not together. */
export function checkTogether(xpkg: Xpkg, collector: DiagnosticCollector): void {
  const report = (severity: Severity, rule: string, message: string, {file, line}: Place) =>
    collector[severity === 'error' ? 'errors' : 'warnings'].push({severity, rule, message, file, line})
  checkKinds(xpkg, report)
  checkDuplicates(xpkg, report)
  checkWebhookCount(xpkg, report)
  checkXrds(xpkg, report)
  checkFunctions(xpkg, report)
  checkRoleLabels(xpkg, report)
  checkRevisionLabels(xpkg, report)
}

type Report = (severity: Severity, rule: string, message: string, place: Place) => void

function checkKinds({kind, objects}: Xpkg, report: Report): void {
  for (const object of objects) {
    const title = `${object.kind} ${quoted(object.name)}`
    if (kind === 'Function') {
      const message = `${title} is not installed: Crossplane 2.3 and later install no objects of a Function`
      report('warning', 'xpkg-function-object', message, object)
    } else if (!belongsIn(kind, object.role)) {
      const message = `${title} does not belong into a ${kind}: Crossplane up to 2.2 rejects the package, later ones skip the object`
      report('error', 'xpkg-object-kind', message, object)
    }
  }
}

function checkDuplicates({objects}: Xpkg, report: Report): void {
  const seen = new Map<string, XpkgObject>()
  for (const object of objects) {
    const key = `${object.kind} ${groupOf(object.apiVersion)} ${object.name}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, object)
    else {
      const message = `${object.kind} ${quoted(object.name)} is already in ${first.file} at line ${first.line}`
      report('error', 'xpkg-duplicate-object', message, object)
    }
  }
}

function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')))
}

/** All webhook configurations of a kind get the same name. */
function checkWebhookCount({objects}: Xpkg, report: Report): void {
  const seen = new Map<string, string>()
  for (const object of objects.filter(({role}) => role === 'webhook')) {
    const first = seen.get(object.kind)
    if (first === undefined) seen.set(object.kind, object.name)
    else if (first !== object.name) {
      const message = `${quoted(object.name)} is the second ${object.kind}: Crossplane gives all of them one name`
      report('error', 'xpkg-webhook', message, object)
    }
  }
}

/** Without other Configurations that could define it. */
function checkXrds({dependencies, objects}: Xpkg, report: Report): void {
  if (dependencies.some(({kind}) => kind === 'Configuration')) return
  const defined = new Map(objects.filter(({role}) => role === 'xrd').map(xrd => [keyOf(xrd), xrd]))
  for (const object of objects.filter(({role}) => role === 'composition')) {
    const xrd = defined.get(keyOf(object))
    if (xrd !== undefined) {
      checkComposedVersion(object, xrd, report)
      continue
    }
    const {kind = '', group = ''} = object.defines ?? {}
    const message = `${object.kind} ${quoted(object.name)} is for ${kind} of ${group}, which no XRD of the package defines`
    report('warning', 'xpkg-composition-type', message, object)
  }
}

/** A composite resource uses only Compositions for the version of its XRD that is referenceable. */
function checkComposedVersion(composition: XpkgObject, xrd: XpkgObject, report: Report): void {
  const {versions = [], kind = ''} = composition.defines ?? {}
  const [version = ''] = versions
  const stored = xrd.crds?.[0]?.stored ?? ''
  if ([version, ''].includes(stored) || version === '') return
  const message = `${composition.kind} ${quoted(composition.name)} is for ${kind} ${version}, but ${stored} is the referenceable version of the XRD: no composite resource uses it`
  report('warning', 'xpkg-composition-version', message, composition)
}

function keyOf({defines}: XpkgObject): string {
  return `${defines?.kind} ${defines?.group}`
}

/** The core creates functions under the names that it derives, so that pipelines have to use those. */
function checkFunctions({dependencies, objects}: Xpkg, report: Report): void {
  if (dependencies.some(({kind}) => kind === 'Configuration')) return
  const names = new Set(
    dependencies.filter(({kind}) => kind === 'Function').map(dependency => derivedName(dependency.package)),
  )
  for (const object of objects)
    for (const {function: name, line} of object.functions) {
      // A step without a function is an error of its own.
      if (name === '' || names.has(name)) continue
      const message = `no dependency brings the function ${quoted(name)}, which ${object.kind} ${quoted(object.name)} calls`
      report('warning', 'xpkg-composition-function', message, {file: object.file, line})
    }
}

const MAX_LABEL = 63
/** The last releases that label the roles of an XRD with its name. */
const LABELING = '1.20.99'

/** Where a core labels the roles of an XRD with its name, the API server rejects roles with a longer label. */
function checkRoleLabels({crossplane, objects}: Xpkg, report: Report): void {
  if (crossplane !== undefined && !mayRun(crossplane, LABELING)) return
  for (const object of objects.filter(({role, name}) => role === 'xrd' && name.length > MAX_LABEL)) {
    const message = `the name ${quoted(object.name)} has ${object.name.length} characters: Crossplane up to 1.20 cannot create the roles of an XRD whose name has more than ${MAX_LABEL}`
    report('error', 'xpkg-xrd-roles', message, object)
  }
}

function mayRun(constraint: string, version: string): boolean {
  return CONSTRAINT_RULES.some(rules => {
    const [read, release] = [readConstraint(constraint, rules), readVersion(version, rules)]
    return read === undefined || release === undefined || satisfies(read, release)
  })
}

/** Each Composition needs a CompositionRevision, which is labeled with its name. */
function checkRevisionLabels({objects}: Xpkg, report: Report): void {
  for (const object of objects.filter(({role, name}) => role === 'composition' && name.length > MAX_LABEL)) {
    const message = `the name ${quoted(object.name)} has ${object.name.length} characters: no revision of a Composition can be created whose name has more than ${MAX_LABEL}`
    report('error', 'xpkg-composition-name', message, object)
  }
}
