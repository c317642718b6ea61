import {asObject, asText, type KubernetesObject, listAll, nameOf, quoted} from 'kubectl-crossplane/plugin'
import {CREATING} from '../model/conditions.js'
import {normalEvent} from '../model/event-texts.js'
import {kindText} from '../model/kinds.js'
import {ALLOW_EXTERNAL_NAME, EXTERNAL_NAME, managedName} from '../model/names.js'
import {nameIn, referenceIn, referenceTo, refersTo} from '../model/references.js'
import {isOutdated} from '../model/store.js'
import {messageOf} from '../model/message-of.js'
import {type ClaimPass, fail} from './claim-ports.js'
import {configured, ignoredParameters, parametersOf} from './configure.js'

interface Placed {
  readonly claim: KubernetesObject
  readonly managed: KubernetesObject
}

/** Creates the managed resource that the class of a claim describes, and names it in the claim. */
export async function createManaged(pass: ClaimPass): Promise<Placed> {
  const cls = await classOf(pass)
  const requested = configuredFor(pass, cls)
  await checkParameters(pass, requested)
  await reportIgnoredName(pass, cls)
  const managed = await created(pass, requested)
  const claim = await pass.ports.store.patch(pass.claim, {spec: {resourceRef: referenceTo(managed)}})
  return {claim, managed}
}

async function classOf(pass: ClaimPass): Promise<KubernetesObject> {
  const reference = asObject(asObject(pass.claim.spec).classRef)
  const kind = pass.service.class ?? pass.service.managed
  const cls = await pass.ports.store.get(nameIn({...reference, namespace: ''}, kind))
  if (cls !== undefined) return cls
  const message = `${kindText(kind)} ${quoted(asText(reference.name))} not found`
  throw fail(pass, 'CannotGetResourceClass', message, [CREATING])
}

function configuredFor(pass: ClaimPass, cls: KubernetesObject): KubernetesObject {
  const {claim, service} = pass
  try {
    const base = managedOf(pass, cls)
    const input = {claim, class: cls, managed: base}
    const managed = service.configure === undefined ? configured(input) : service.configure(input)
    // The name is what a pass that ended early finds its managed resource by.
    return {...managed, metadata: {...managed.metadata, name: base.metadata.name}}
  } catch (error) {
    throw fail(pass, 'CannotConfigureManagedResource', messageOf(error), [CREATING])
  }
}

/** Without a policy in the class, the managed resource is deleted with its claim. */
function managedOf({claim, service}: ClaimPass, cls: KubernetesObject): KubernetesObject {
  const {writeConnectionSecretsToNamespace, ...template} = asObject(cls.specTemplate)
  const externalName = namesExternal(cls) ? nameGiven(claim) : undefined
  const namespace = asText(writeConnectionSecretsToNamespace)
  const secret = {namespace, name: asText(claim.metadata.uid)}
  return {
    apiVersion: service.managed.apiVersion,
    kind: service.managed.kind,
    metadata: {
      name: managedName(claim),
      ...(externalName === undefined ? {} : {annotations: {[EXTERNAL_NAME]: externalName}}),
    },
    spec: {
      ...template,
      reclaimPolicy: template.reclaimPolicy ?? 'Delete',
      ...(namespace === '' ? {} : {writeConnectionSecretToRef: secret}),
      claimRef: referenceTo(claim),
      classRef: referenceTo(cls),
    },
  }
}

function nameGiven({metadata}: KubernetesObject): string | undefined {
  return metadata.annotations?.[EXTERNAL_NAME]
}

/**
 * Whether claims of a class name external resources. A managed resource adopts the external resource that it names, with its
 * credentials, also one that was created for another claim.
 */
function namesExternal({metadata}: KubernetesObject): boolean {
  return metadata.annotations?.[ALLOW_EXTERNAL_NAME] === 'true'
}

async function reportIgnoredName({claim, names, ports}: ClaimPass, cls: KubernetesObject): Promise<void> {
  const given = nameGiven(claim)
  if (given === undefined || namesExternal(cls)) return
  const message = `the annotation ${EXTERNAL_NAME} of the claim has no effect: ${kindText(cls)} ${quoted(cls.metadata.name)} does not allow it by the annotation ${ALLOW_EXTERNAL_NAME}`
  await ports.store.event(claim, {
    type: 'Warning',
    reason: 'IgnoredExternalName',
    message,
    source: names.binder,
  })
}

/** An API server drops fields that the schema of the managed resource does not have: nothing would honor these parameters. */
async function checkParameters(pass: ClaimPass, requested: KubernetesObject): Promise<void> {
  const {claim, service, ports} = pass
  if (service.configure !== undefined || Object.keys(parametersOf(claim)).length === 0) return
  const stored = await ports.store.wouldCreate(requested).catch((error: unknown) => {
    throw isOutdated(error) ? error : fail(pass, CANNOT_CREATE, messageOf(error), [CREATING])
  })
  if (stored === 'exists') return
  const ignored = ignoredParameters(claim, stored)
  if (ignored.length === 0) return
  const message = `${kindText(requested)} has no field for ${listAll(ignored.map(quoted))} of the claim: set it in the class`
  throw fail(pass, 'CannotConfigureManagedResource', message, [CREATING])
}

const CANNOT_CREATE = 'CannotCreateManagedResource'

async function created(pass: ClaimPass, requested: KubernetesObject): Promise<KubernetesObject> {
  const {names, ports, claim} = pass
  const refuse = (error: unknown) => fail(pass, CANNOT_CREATE, messageOf(error), [CREATING])
  const result = await ports.store.create(requested).catch((error: unknown) => {
    throw isOutdated(error) ? error : refuse(error)
  })
  if (result !== 'exists') {
    await ports.store.event(claim, normalEvent('CreatedManagedResource', names.binder))
    return result
  }
  // An earlier pass that ended before it named the resource in the claim.
  const existing = await ports.store.read(nameOf(requested))
  if (existing !== undefined && refersTo(referenceIn(asObject(existing.spec).claimRef), claim))
    return existing
  throw refuse(new Error(`${kindText(requested)} ${quoted(requested.metadata.name)} already exists`))
}
