import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {BLOG, TEMPLATE} from './fixtures.js'
import {identityOf, objectsIn} from './printed-objects.js'
import {realPackage} from './some-packages.js'

describeReal('kubectl kustomize builds an output folder', missingTool('kubectl'), () => {
  const temporary = temporaryFolder()

  /** What is printed and what kustomize makes of the folder, by identity: kustomize has an order of its own. */
  async function printedAndBuilt(
    name: string,
    args: readonly string[],
  ): Promise<readonly [unknown, unknown]> {
    const folder = join(temporary, name.replace('@', '-'))
    const printed = await runCli('package', 'render', ...args)
    await runCli('package', 'render', ...args, '--output-dir', folder)
    const {status, stdout, stderr} = await runProgram('kubectl', ['kustomize', folder], {
      env: {HOME: temporary},
    })
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    return [byIdentity(printed.stdout), byIdentity(stdout)]
  }

  it.each([
    {name: 'a Namespaced package', in: [...BLOG, '--base', '--create-namespace', '--include-request']},
    {name: 'a template stack', in: [...TEMPLATE, '--api', 'stacks', '--base']},
  ])('$name', async ({name, in: args}) => {
    const [printed, built] = await printedAndBuilt(name, args)
    expect(built).toEqual(printed)
  })

  describeCorpus('of real packages', () => {
    it.each(corpusEntries('corpus').filter(name => name.includes('@')))('%s', async tree => {
      const {folder, flags} = realPackage(tree)
      const [printed, built] = await printedAndBuilt(tree, [folder, ...flags])
      expect(built).toEqual(printed)
    })
  })
})

function byIdentity(stream: string): Readonly<Record<string, unknown>> {
  const objects = objectsIn(stream)
  const keyed = Object.fromEntries(objects.map(object => [identityOf(object), object]))
  expect(Object.keys(keyed).length).toBe(objects.length)
  return keyed
}
