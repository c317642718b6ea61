import type {Connection} from '../../../cluster/connection.js'
import type {Http} from '../../../http/http.js'
import type {PackageSources} from '../../../locate/package-sources.js'
import type {Keychain} from '../../../registry/credentials/keychain.js'
import type {ReportSteps} from './step-event.js'

/** Reports the server of each request; `name` is what to call it. */
export function reportedHttp(
  http: Http,
  report: ReportSteps,
  name = (host: string) => `Contacting ${host}`,
): Http {
  return {
    send: async request => {
      report({kind: 'step', name: name(request.url.host)})
      return await http.send(request)
    },
  }
}

/** Reports requests to an API server, and its credentials: a program of the kubeconfig may have to be run for them. */
export function reportedConnection(connection: Connection, report: ReportSteps): Connection {
  return {
    ...connection,
    http: reportedHttp(connection.http, report, host => `Contacting the cluster at ${host}`),
    headers: async renew => {
      report({kind: 'step', name: 'Reading the credentials of the kubeconfig'})
      return await connection.headers(renew)
    },
  }
}

/** Reports lookups of credentials: a helper may have to be run for them. */
export function reportedKeychain(keychain: Keychain, report: ReportSteps): Keychain {
  return {
    credentialsFor: async registry => {
      report({kind: 'step', name: `Reading the credentials for ${registry}`})
      return await keychain.credentialsFor(registry)
    },
  }
}

/** Reports reading of local packages. */
export function reportedSources(sources: PackageSources, report: ReportSteps): PackageSources {
  const step = () => report({kind: 'step', name: 'Reading local packages'})
  return {
    directory: async path => {
      step()
      return await sources.directory(path)
    },
    files: async path => {
      step()
      return await sources.files(path)
    },
    file: async path => {
      step()
      return await sources.file(path)
    },
  }
}
