import {
  asText,
  type ControllerProcess,
  nameOf,
  objectText,
  OWN_MANAGER,
  recordEvent,
} from 'kubectl-crossplane/plugin'
import type {RequestWrites} from './pass-ports.js'

/** Changes the requests of a cluster. */
export function requestWrites({api, log}: Pick<ControllerProcess, 'api' | 'log'>): RequestWrites {
  return {
    patch: async (request, metadata) => {
      const {resourceVersion = null} = request.metadata
      const patch = {metadata: {...metadata, resourceVersion}}
      return (await api.mergePatch(nameOf(request), patch, {manager: OWN_MANAGER})).object
    },
    patchStatus: async (request, status) => {
      const {resourceVersion = null} = request.metadata
      const patch = {metadata: {resourceVersion}, status}
      const place =
        (await api.resource(request))?.hasStatus === false ? {} : ({subresource: 'status'} as const)
      return (await api.mergePatch(nameOf(request), patch, {manager: OWN_MANAGER, ...place})).object
    },
    create: async request => {
      const isNew = (await api.create(request, {manager: OWN_MANAGER})) !== 'exists'
      if (isNew) log({level: 'info', message: `${objectText(nameOf(request))} created`})
      return isNew
    },
    remove: async request => {
      await api.delete(nameOf(request), {uid: asText(request.metadata.uid)})
      log({level: 'info', message: `${objectText(nameOf(request))} deleted: nothing requires it`})
    },
    event: async (object, type, reason, message) => {
      log({
        level: type === 'Warning' ? 'warning' : 'info',
        message: message === '' ? reason : message,
        fields: {object: objectText(nameOf(object)), reason},
      })
      await recordEvent({object, type, reason, message}, {api, log, component: OWN_MANAGER})
    },
  }
}
