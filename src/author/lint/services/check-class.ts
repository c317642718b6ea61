import type {Diagnostic} from '../../../diagnostic.js'
import {listAll, listSome} from '../../../text.js'
import {hasForProvider, parametersOf} from './parameters.js'
import {fieldOf} from './schema-node.js'
import {checkClusterScope, missingFields, serviceDiagnostic} from './service-diagnostic.js'
import {isFirstGeneration, type ServiceKind} from './service-kind.js'

/** Reports what keeps a class from being used, and differences from its managed resources. */
export function checkClass(service: ServiceKind, managed: readonly ServiceKind[]): Diagnostic[] {
  const own = managedOf(service, managed)
  return [
    ...(isFirstGeneration(service)
      ? []
      : [...checkClusterScope(service, 'class-scope', SCOPE), ...checkTemplate(service)]),
    ...checkStatus(service),
    ...checkSpec(service),
    ...(own === undefined ? checkManagedKind(service, managed) : compare(service, own)),
  ]
}

const SCOPE = 'claims of other namespaces cannot use it'

/** Finds the managed kind that a class is named after. */
export function managedOf(
  {kind, group}: ServiceKind,
  managed: readonly ServiceKind[],
): ServiceKind | undefined {
  const name = kind.replace('Class', '')
  return managed.find(other => other.group === group && other.kind === name)
}

const TEMPLATE = ['providerRef', 'writeConnectionSecretsToNamespace', 'reclaimPolicy']

function checkTemplate(service: ServiceKind): Diagnostic[] {
  const template = fieldOf(service.schema, 'specTemplate')
  const missing = template === undefined ? [] : missingFields(template, TEMPLATE)
  if (template === undefined || missing.length === 0) return []
  const text = `is a class whose specTemplate lacks ${listAll(missing)}`
  return [serviceDiagnostic(service, 'class-spec-template', template.path, text)]
}

function checkStatus(service: ServiceKind): Diagnostic[] {
  const status = service.statusAt ?? fieldOf(service.schema, 'status')?.path
  if (status === undefined) return []
  const text = 'is a class with a status, which no controller writes'
  return [serviceDiagnostic(service, 'class-status', status, text)]
}

function checkSpec(service: ServiceKind): Diagnostic[] {
  const spec = fieldOf(service.schema, 'spec')
  if (spec === undefined) return []
  const text = 'is a class with a spec beside its specTemplate, which no controller reads'
  return [serviceDiagnostic(service, 'class-spec', spec.path, text)]
}

/** A class can also serve several kinds, if each of them has all of its fields. */
function checkManagedKind(service: ServiceKind, managed: readonly ServiceKind[]): Diagnostic[] {
  const fields = parametersOf(service)
  const isServed = managed.some(other => {
    const own = new Set(parametersOf(other))
    return other.group === service.group && fields.every(field => own.has(field))
  })
  if (isServed) return []
  const text = `is a class, but ${service.group} has no managed resource ${service.kind.replace('Class', '')} or one with its fields`
  return [serviceDiagnostic(service, 'class-managed', ['spec', 'names', 'kind'], text)]
}

function compare(service: ServiceKind, managed: ServiceKind): Diagnostic[] {
  return [...checkDrift(service, managed), ...checkVersion(service, managed)]
}

/** `managed-for-provider` reports the other case, a managed resource without forProvider. */
function checkDrift(service: ServiceKind, managed: ServiceKind): Diagnostic[] {
  if (!hasForProvider(managed)) return []
  const template = [...service.schema.path, 'properties', 'specTemplate']
  const report = (text: string) => [serviceDiagnostic(service, 'class-drift', template, text)]
  if (!hasForProvider(service)) {
    return report(
      `has no specTemplate.forProvider, but ${managed.kind} has ${listSome(parametersOf(managed))} there`,
    )
  }
  const [ofClass, ofManaged] = [parametersOf(service), parametersOf(managed)]
  const only = (names: readonly string[], others: readonly string[]) =>
    names.filter(name => !others.includes(name))
  const sides = [
    ...side(`only ${service.kind} has`, only(ofClass, ofManaged)),
    ...side(`only ${managed.kind} has`, only(ofManaged, ofClass)),
  ]
  if (sides.length === 0) return []
  return report(`does not have the fields of ${managed.kind}: ${sides.join('; ')}; claims cannot set these`)
}

function side(intro: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${intro} ${listSome(names)}`]
}

function checkVersion(service: ServiceKind, managed: ServiceKind): Diagnostic[] {
  if (service.version === managed.version) return []
  const text = `has version ${service.version}, but ${managed.kind} has ${managed.version}`
  return [serviceDiagnostic(service, 'class-version', ['spec', 'version'], text)]
}
