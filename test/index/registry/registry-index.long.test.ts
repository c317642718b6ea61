import {startRegistry, type RegistryOptions} from '../../fakes/registry-server.js'
import {describeIndex, type RunningRegistry} from './index-contract.js'

async function running(options: RegistryOptions): Promise<RunningRegistry> {
  const server = await startRegistry(options)
  const create = (path: string) => void server.contents.ensure(path)
  return {
    host: server.host,
    ...(options.makesNoRepositories === true ? {create} : {}),
    keepsTags: options.keepsTags === true,
    stop: () => server.close(),
  }
}

const ADVERSE = {pageSize: 2, keepsTags: true, makesNoRepositories: true, busyEvery: 7}

for (const layout of ['repositories', 'single-repository'] as const) {
  describeIndex('a registry in memory', layout, () => running({}))
  describeIndex('a busy registry with small pages, immutable tags and no new repositories', layout, () =>
    running(ADVERSE),
  )
}
