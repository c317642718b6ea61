import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {choiceFlags} from '../../cli/declaration/choice-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import {installedFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {lockFlags} from '../../cli/declaration/lock-flags.js'
import {graphOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showWhy} from '../../cli/resolution/show-why.js'
import {resolutionQuery} from '../../cli/declaration/resolution-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {whyRequest} from '../../pipeline/resolution/why-request.js'

export default class Why extends Command {
  static override summary = 'Explain why a package would be installed'
  static override description = `Resolves the request and prints each path from it to a package, or to the package that provides a CRD: the dependents, their \
requirements, and whether the version was held back. With --installed, explains an installed package of a cluster.`

  static override examples = [
    {
      description: 'Explain why an application requires a provider',
      command:
        '<%= config.bin %> <%= command.id %> example/my-provider example/my-app:v0.1.0 --packages ./packages --namespace team-a',
    },
    {
      description: 'Explain which package of a declaration provides a CRD',
      command:
        '<%= config.bin %> <%= command.id %> databases.sql.example.org --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Explain why a package is installed in a cluster',
      command: '<%= config.bin %> <%= command.id %> example/my-provider --installed --context my-cluster',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'output',
    'packages',
    'index',
    'declaration',
    'locked',
    'installed',
    'quiet',
  ]

  static override args = {
    name: argument({
      required: true,
      description: 'Name of a request or install, KIND.pkg.crossplane.io/NAME, repository, or CRD',
    }),
    ref: argument({description: 'Package, or crd:RESOURCE.GROUP[/VERSION] for the package that provides it'}),
  }

  static override flags = {
    ...choiceFlags,
    ...coreVersionFlag,
    ...lockFlags,
    ...installedFlags,
    ...graphOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: parsedFlags, raw} = await this.parse(Why)
    if (parsedFlags.installed) {
      const {expectNoReference, expectOfCluster, showInstalledWhy} =
        await import('../../cli/resolution/show-installed.js')
      expectNoReference(args.ref)
      expectOfCluster(writtenFlags(raw))
      return await showInstalledWhy(args.name, parsedFlags, {argv: this.argv, version: this.config.version})
    }
    const flags = withDefaultDeclaration(args.ref, parsedFlags)
    const shown = progress(this.argv)
    const query = resolutionQuery({ref: args.ref}, flags, writtenFlags(raw))
    const request = await readRequest(query, requestPorts(flags, shown))
    const report = await whyRequest(args.name, request).finally(shown.end)
    await showWhy(report, {format: flags.output, paint: painter(this.argv, 'stdout')})
  }
}
