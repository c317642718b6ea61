import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {packageFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {requestFlags} from '../../cli/declaration/request-flags.js'
import {resolutionFlags} from '../../cli/declaration/resolution-flags.js'
import {inspectQuery, isInRegistry} from '../../cli/inspect/inspect-query.js'
import {painter} from '../../cli/shell/text/paint.js'
import {trustedPackages} from '../../cli/packages/trusted-packages.js'
import {certificateReader, loadHttp, withLessMemory} from '../../cli/wire.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showInspection} from '../../cli/inspect/show-inspection.js'
import {inspectSigned} from '../../pipeline/inspect/inspect.js'

export default class Inspect extends Command {
  static override summary = 'Show what a package installs, runs and is allowed to do'
  static override description = `Reads a package and reports what to review before installing it: its metadata, the CRDs that it owns and requires, all images \
that would run, their security settings, the kinds that templates create, and all permissions, with wide ones marked. Permissions that render would reject \
are also reported. No cluster is needed. Of a package in a registry or a bundle, it shows signer, source and builder: with --policy, \
what trusted signers state, and otherwise what its signatures claim, unverified. Of a package for a current Crossplane (xpkg), it reports the kinds that it \
defines, the packages that it requires, the functions that it calls, and its problems.`

  static override examples = [
    {
      description: 'Inspect a package in a folder of packages',
      command: '<%= config.bin %> <%= command.id %> example/my-provider:v0.1.0 --packages ./packages',
    },
    {
      description: 'Show who has signed a package, as the policy of a team trusts them',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --policy policy.yaml',
    },
    {
      description: 'List the images that a package would run',
      command: '<%= config.bin %> <%= command.id %> oci:./my-provider --output json | jq .runs.images',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['namespace', 'output', 'packages', 'as-package', 'policy', 'quiet']

  static override args = {
    ref: argument({
      required: true,
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
  }

  static override flags = {
    ...requestFlags,
    ...packageFlags,
    ...pullFlags,
    policy: resolutionFlags.policy,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Inspect)
    const shown = progress(this.argv)
    const ports = {...(await trustedPackages(flags, shown)), readCertificate: certificateReader}
    const query = inspectQuery(args, flags, writtenFlags(raw))
    if (isInRegistry(query, flags)) await loadHttp()
    // Otherwise, a third of the peak is memory that V8 keeps for new objects.
    const inspection = await withLessMemory(() => inspectSigned(query, ports))
      .catch(async (error: unknown) => {
        const {withRequestedNames} = await import('../../cli/declaration/requested-name.js')
        throw withRequestedNames(error, [args.ref])
      })
      .finally(shown.end)
    await showInspection(inspection, flags.output, painter(this.argv, 'stdout'))
  }
}
