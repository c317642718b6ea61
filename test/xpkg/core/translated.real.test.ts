import {expect, it} from '@jest/globals'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {accepted, until} from '../../cluster/kube.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'
import {documentsIn} from '../../gitops/programs.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {describeCore, TIMEOUT} from './describe-core.js'

/** `npm run soak` installs each package of the corpus. */
const PACKAGES =
  process.env.TRANSLATED === 'all'
    ? corpusEntries('corpus').filter(name => name.includes('@'))
    : ['provider-azure@v0.3.0', 'provider-gcp@v0.11.0', 'provider-rook@v0.7.0']

const RUNTIMES = '/apis/pkg.crossplane.io/v1beta1/deploymentruntimeconfigs'

const temporary = temporaryFolder()

describeCorpus('a translated package of 2020', () => {
  describeCore('installed by Crossplane', core => {
    const succeeded = async (...args: readonly string[]) => {
      const {status, stdout, stderr} = await runCli('package', ...args)
      if (status !== 0) throw new Error(stderr)
      return stdout
    }

    it.each(PACKAGES)(
      '%s is healthy, with its CRDs and the image of its controller',
      async name => {
        const [path = '', tag = ''] = name.split('@')
        const target = join(temporary, name)
        const reference = `${core().host}/team/${path}:${tag}`
        const source = join(CORPUS_ROOT, 'corpus', name)
        await succeeded(
          'translate',
          source,
          target,
          '--as-package',
          `crossplane/${path}:${tag}`,
          '--target',
          reference,
        )
        await succeeded('push', reference, join(target, 'package'))
        const objects = documentsIn(readFileSync(join(target, 'install.yaml'), 'utf8'))
        // That of another version of the package, which the requests of the tests before left.
        await core().cluster.kube.send('DELETE', `${RUNTIMES}/team-${path}`)
        for (const object of objects) await core().apply(object)
        const state = await core().settled(({healthy}) => healthy.length > 0)
        expect({healthy: state.healthy, others: state.others}).toEqual({
          healthy: [`Provider team-${path} ${reference}`],
          others: [],
        })
        const crds = join(target, 'package/crds')
        for (const file of existsSync(crds) ? readdirSync(crds) : [])
          await established(file.slice(0, -'.yaml'.length))
        const image = imageIn(objects) ?? reference
        expect(await controllers()).toEqual([`team-${path} ${image}`])
      },
      TIMEOUT,
    )

    const established = async (name: string) => {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`
      await until(
        async () => (await core().cluster.kube.send('GET', path)).body,
        ({status}) =>
          asObjects(asObject(status).conditions).some(
            condition => condition.type === 'Established' && condition.status === 'True',
          ),
      )
    }
    /** The accounts and images of the Deployments that Crossplane made. */
    const controllers = async () => {
      const {items} = accepted(
        await core().cluster.kube.send('GET', '/apis/apps/v1/namespaces/crossplane-system/deployments'),
      )
      return asObjects(items).map(({spec}) => {
        const pod = podIn(spec)
        const [container] = asObjects(pod.containers)
        return `${asText(pod.serviceAccountName)} ${asText(container?.image)}`
      })
    }
  })
})

/** The image of the controller; undefined for a package without one, for which Crossplane takes the image of the package. */
function imageIn(objects: readonly JsonObject[]): string | undefined {
  const runtime = objects.find(({kind}) => kind === 'DeploymentRuntimeConfig')
  const template = asObject(asObject(runtime?.spec).deploymentTemplate)
  const [container] = asObjects(podIn(template.spec).containers)
  return container === undefined ? undefined : asText(container.image)
}

function podIn(spec: JsonValue | undefined): JsonObject {
  return asObject(asObject(asObject(spec).template).spec)
}
