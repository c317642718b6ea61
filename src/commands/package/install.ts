import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {applyFlags, changeFlags} from '../../cli/flags/change.js'
import {clusterFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {installSetFlags} from '../../cli/flags/render.js'
import {installQuery} from '../../cli/options/install-query.js'
import {toCluster} from '../../cli/output/cluster-change.js'
import {progress} from '../../cli/output/progress.js'
import {showNotes, showWarnings} from '../../cli/output/show.js'
import {showTarget} from '../../cli/output/show-cluster-change.js'
import {changePorts, openCluster} from '../../cli/ports/cluster-ports.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {prepareInstall} from '../../pipeline/cluster/install.js'

export default class Install extends Command {
  static override summary = 'Install a package'
  static override description = `Resolves a package, renders its objects and applies them to the cluster of the kubeconfig by server-side apply, in \
dependency order: namespaces, CRDs, permissions, package records, controllers. The plan is printed \
and confirmed first; --yes skips the question. Installing again changes nothing, and after an interruption the same \
command completes the install.

REF is a package in a registry, [HOST/]PATH[:TAG][@sha256:DIGEST], or a local one: ./DIR, oci:DIR[:TAG], oci-archive:FILE or \
docker-archive:FILE. Dependencies are installed too if --packages or --index says where to find them. A CRD that the \
cluster serves, and packages that are installed, satisfy requirements: --crossplane-version has no effect.`

  static override examples = [
    {
      description: 'Print what would be installed',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --base --create-namespace --dry-run=client',
    },
    {
      description: 'Install a package in a folder',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --base --create-namespace',
    },
  ]

  /** The flags that `-h` shows. */
  static mostUsed = [
    'namespace',
    'context',
    'packages',
    'index',
    'declaration',
    'create-namespace',
    'base',
    'dry-run',
    'yes',
    'timeout',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
    name: argument({description: "Name of the install (default: the repository's path)"}),
  }

  static override flags = {
    ...installSetFlags,
    ...clusterFlags,
    ...applyFlags,
    ...changeFlags,
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Install)
    const written = new Set(raw.flatMap(token => (token.type === 'flag' ? [token.flag] : [])))
    const {version} = this.config
    const {connection, api} = await openCluster(flags, version)
    const query = installQuery(args, flags, {namespace: connection.namespace, toolVersion: version, written})
    const shown = progress(this.argv)
    const ports = {api, requests: requestPorts(flags, shown)}
    showTarget(connection, this.argv)
    const change = await prepareInstall(query, ports).finally(shown.end)
    showWarnings(change.set, this.argv)
    showNotes(change.notes, this.argv)
    await toCluster(change, flags, await changePorts(api, flags), this.argv)
  }
}
