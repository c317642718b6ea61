import {asObject, asObjects, asText, type Behavior, type JsonObject} from 'kubectl-crossplane/plugin'

/** A binding of behavior.yaml: the field of the custom resource, and the field of the object that it sets. */
export interface Binding {
  readonly from: string
  readonly to: string
}

/** An object of the kustomization whose fields are bound. */
export interface Overlay {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
  readonly bindings: readonly Binding[]
}

/** Reads the overlays of a behavior, in their order. */
export function overlaysOf({engine}: Pick<Behavior, 'engine'>): readonly Overlay[] {
  return asObjects(asObject(engine.kustomize).overlays).map(overlayOf)
}

function overlayOf({apiVersion, kind, name, namespace, bindings}: JsonObject): Overlay {
  const place = asText(namespace)
  return {
    apiVersion: asText(apiVersion),
    kind: asText(kind),
    name: asText(name),
    ...(place === '' ? {} : {namespace: place}),
    bindings: asObjects(bindings).map(({from, to}) => ({from: asText(from), to: asText(to)})),
  }
}

/** An overlay for messages: `Widget blue`. */
export function overlayText({kind, name, namespace}: Overlay): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Identifies the object of an overlay. */
export function overlayKey({apiVersion, kind, name, namespace = ''}: Overlay): string {
  return JSON.stringify([apiVersion, kind, namespace, name])
}
