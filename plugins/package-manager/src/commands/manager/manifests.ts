import {Command} from '@oclif/core/command'
import {string} from '@oclif/core/flags'
import {
  commonFlags,
  CrossplaneError,
  formatObjects,
  formerly,
  installerFlags,
  objectOutputFlag,
  parseImageName,
  quoted,
  show,
  systemNamespaceOf,
} from 'kubectl-crossplane/plugin'
import {managerObjects} from '../../manifests/manager-objects.js'

export default class Manifests extends Command {
  static override summary = 'Print the objects that run the package manager in a cluster'
  static override description = `Prints a Namespace, a service account with its roles, a PodDisruptionBudget and a Deployment with two replicas that runs "manager run" \
with the flags that are given here, for kubectl, Flux or Argo CD. Contacts neither a cluster nor a registry.`

  static override examples = [
    {
      description: 'Run the manager in the cluster of the kubeconfig',
      command:
        '<%= config.bin %> <%= command.id %> --manager-image registry.example.org/kubectl-crossplane:v0.1.0 --index registry.example.org/index | kubectl apply -f -',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'manager-image',
    'index',
    'default-source',
    'pull-secrets-from',
    'system-namespace',
    'output',
  ]

  static override flags = {
    'manager-image': formerly(
      string({
        required: true,
        helpGroup: 'MANAGER',
        helpValue: 'IMAGE',
        summary: 'Image of this program',
      }),
      'image',
    ),
    'pull-secrets-from': string({
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'MANAGER',
      helpValue: 'NAMESPACE',
      summary: 'Let the manager read the pull secrets of requests in this namespace; can be repeated',
    }),
    index: installerFlags.index,
    'default-source': installerFlags['default-source'],
    owner: installerFlags.owner,
    'system-namespace': installerFlags['system-namespace'],
    'allow-core-permissions': installerFlags['allow-core-permissions'],
    'allow-full-deployment': installerFlags['allow-full-deployment'],
    ...objectOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Manifests)
    const image = flags['manager-image']
    if (parseImageName(image) === undefined) {
      throw new CrossplaneError('usage', `invalid --manager-image ${quoted(image)}`, {
        suggestions: ['Write [HOST/]PATH[:TAG][@sha256:DIGEST] with a lowercase path.'],
      })
    }
    const values = {
      '--index': flags.index ?? [],
      '--owner': flags.owner ?? [],
      '--default-source': flags['default-source'] ?? [],
    }
    const words = Object.entries(values).flatMap(([flag, value]) =>
      [value].flat().flatMap(text => [flag, text]),
    )
    const booleans = (['allow-core-permissions', 'allow-full-deployment'] as const).filter(
      name => flags[name],
    )
    const namespace = systemNamespaceOf(flags)
    const objects = managerObjects({
      image,
      namespace,
      pullSecretsFrom: flags['pull-secrets-from'] ?? [],
      flags: [...words, ...booleans.map(name => `--${name}`)],
    })
    await show(formatObjects(objects, flags.output))
  }
}
