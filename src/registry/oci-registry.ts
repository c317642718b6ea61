import type {Repository} from '../reference/repository.js'
import {registryArtifacts} from './registry-artifacts.js'
import {digestOfTag, pushImage} from './push.js'
import {registryImage} from './registry-image.js'
import type {Registry} from './registry.js'
import {Session} from './session.js'
import type {RegistryPorts} from './session.js'
import {listTags} from './tags.js'

/** Creates the client for all registries. The authentication that each requires is remembered for its lifetime. */
export function ociRegistry(ports: RegistryPorts): Registry {
  const sessions = new Map<string, Session>()
  const sessionFor = ({registry}: Repository): Session => {
    const session = sessions.get(registry) ?? new Session(registry, ports)
    sessions.set(registry, session)
    return session
  }
  return {
    image: (repository, choice, report) => registryImage(sessionFor(repository), repository, choice, report),
    artifacts: repository => registryArtifacts(sessionFor(repository), repository),
    tags: repository => listTags(sessionFor(repository), repository),
    digestOf: (repository, tag) => digestOfTag(sessionFor(repository), repository, tag),
    push: (repository, tag, image, report, options) =>
      pushImage(sessionFor(repository), repository, tag, image, report, options),
  }
}
