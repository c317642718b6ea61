import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'

/** The field managers of the programs that apply what is in Git. */
const APPLIERS: ReadonlyMap<string, string> = new Map([
  ['kustomize-controller', 'Flux'],
  ['helm-controller', 'Flux'],
  ['argocd-controller', 'Argo CD'],
  ['argocd-application-controller', 'Argo CD'],
])

/** Returns the program with a field manager that applies what is in Git, and undoes what is changed elsewhere. */
export function gitApplierCalled(manager: string): string | undefined {
  return APPLIERS.get(manager)
}

/** Returns the program that applies an object from Git. */
export function gitApplier({metadata}: JsonObject): string | undefined {
  return asObjects(asObject(metadata).managedFields)
    .filter(({subresource}) => subresource === undefined)
    .map(({manager}) => gitApplierCalled(asText(manager)))
    .find(program => program !== undefined)
}
