import {expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {writeTree} from '../../temporary-folder.js'
import {APP_YAML} from '../locked-world.js'
import {GitWorlds, withVariables} from './git-world.js'

const crd = (plural: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.many.example.org}
spec:
  group: many.example.org
  scope: Cluster
  names: {plural: ${plural}, singular: ${plural.slice(0, -1)}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

const KINDS = 1000

describeReal('a commit of a thousand files', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** Commits a package, and returns the calls of git, without those that git makes. */
  async function callsOf(reference: string, ...existing: readonly string[]): Promise<readonly string[]> {
    const repository = worlds.repository()
    for (const each of existing) await repository.committed(repository.install(each))
    const trace = join(worlds.folder(), 'trace')
    await withVariables({GIT_TRACE2_EVENT: trace}, () => repository.committed(repository.install(reference)))
    const events = readFileSync(trace, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as {event: string; sid: string; argv?: readonly string[]})
    return events.flatMap(({event, sid, argv = []}) =>
      event === 'start' && !sid.includes('/')
        ? [argv.slice(1).find(word => /^[a-z-]{3,}$/.test(word)) ?? '']
        : [],
    )
  }

  it('calls git as often as one of few files, and reads HEAD with one cat-file', async () => {
    const files = Array.from(
      {length: KINDS},
      (_, index) => [`x/many@v1.0.0/.registry/resources/${index}.crd.yaml`, crd(`k${index}s`)] as const,
    )
    writeTree(worlds.packages, {
      'x/many@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
      ...Object.fromEntries(files),
    })
    const many = await callsOf('x/many:v1.0.0', 'x/bs:v1.0.0')
    expect([...many].sort()).toEqual([...(await callsOf('x/as:v1.0.0', 'x/bs:v1.0.0'))].sort())
    expect(many.filter(call => call === 'cat-file')).toHaveLength(1)
    expect(many.length).toBeLessThan(20)
  }, 180_000)
})
