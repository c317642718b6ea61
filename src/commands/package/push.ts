import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {buildFlags} from '../../cli/author/build-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {noRegistryFlag, registryFlags, sourceFlag} from '../../cli/registry/registry-flags.js'
import {optionalIndexTargetFlags} from '../../cli/sources/index-flags.js'
import {indexTarget} from '../../cli/index/index-target.js'
import {buildQuery} from '../../cli/author/build-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {inputFiles} from '../../cli/files/input-files.js'
import {pushSigning} from '../../cli/author/push-signing.js'
import {buildPorts} from '../../cli/author/build-ports.js'
import {templateChecks} from '../../cli/lint/template-checks.js'
import {signerByToken} from '../../cli/author/signer-by-token.js'
import {signFlags} from '../../cli/author/sign-flags.js'
import {isQuietRun} from '../../cli/shell/flags/quiet-run.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatPush} from '../../cli/author/show-image.js'
import {formatDocument, show, showWarnings} from '../../cli/shell/document/show.js'
import {pushPackage} from '../../pipeline/author/push-package.js'

export default class Push extends Command {
  static override summary = 'Build a package and push it to a registry'
  static override description = `Builds a package as package build does, or uses an existing layout or archive, pushes it and prints its pinned reference. \
Several files *.xpkg, built for one platform each, become one package for all of them. With --index, the package is also added to an index. Pushing the same package again changes nothing; a tag with other content is \
overwritten only with --force.`

  static override examples = [
    {
      description: 'Push the package in the working folder, tagged with the version in app.yaml',
      command: '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider',
    },
    {
      description: 'Build on the image of the controller',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider:v0.1.0 ./my-provider --from registry.example.org/team/controller:v0.1.0',
    },
    {
      description: 'Push a package and add it to an index',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider --index registry.example.org/index',
    },
    {
      description: 'Push a package and sign it as cosign does',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider --sign-key cosign.key',
    },
    {
      description: 'Push a package, and sign it with provenance and an SBOM',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider --sign-key cosign.key --provenance --sbom generate',
    },
    {
      description: 'Push a package and sign it with a program, such as one that uses an HSM',
      command: `<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider --sign-command 'openssl dgst -sha256 -sign key.pem' --public-key key.pub`,
    },
    {
      description: 'Push a package and sign it as the subject of a token, such as one of a CI job',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider --identity-token token.jwt',
    },
    {
      description: 'Push files that were built for two platforms, as one package',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider:v0.1.0 ./amd64.xpkg ./arm64.xpkg',
    },
    {
      description: 'Push an image that was built before',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-provider:v0.1.0 oci:./image:v0.1.0',
    },
  ]

  static override hiddenAliases = ['package:publish']

  static mostUsed = ['from', 'ignore', 'force', 'sign-key', 'provenance', 'sbom', 'index', 'output', 'quiet']

  static override strict = false
  static override args = {
    ref: argument({
      required: true,
      description: 'Target: [HOST/]PATH[:TAG] (default tag: the version in app.yaml)',
    }),
    path: argument({
      default: '.',
      description:
        'Folder that is or contains .registry/ or has crossplane.yaml (./ is optional), FILE.xpkg, or oci:DIR[:TAG], oci-archive:FILE, docker-archive:FILE',
    }),
  }

  static override flags = {
    ...buildFlags,
    force: boolean({helpGroup: 'IMAGE', summary: 'Overwrite a tag that exists with other content'}),
    ...signFlags,
    ...optionalIndexTargetFlags,
    ...sourceFlag,
    ...registryFlags,
    ...noRegistryFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, argv, flags, raw} = await this.parse(Push)
    // REF and the default PATH are not in argv unless they were written.
    const others = (argv as string[]).slice(2)
    const {index} = flags
    // Before anything is pushed.
    const shown = progress(this.argv)
    const signing = await pushSigning(flags, this.config.version, inputFiles, file =>
      signerByToken(file, flags, shown),
    )
    const query = {
      ...buildQuery(args.path, flags, writtenFlags(raw)),
      others,
      reference: args.ref,
      force: flags.force,
      ...(index === undefined ? {} : {index: indexTarget({...flags, index})}),
      ...(signing === undefined ? {} : {signing}),
    }
    const report = await pushPackage(query, buildPorts(flags, shown, templateChecks(this.config))).finally(
      shown.end,
    )
    showWarnings(report, this.argv)
    if (flags.output !== 'text')
      return await show(formatDocument({kind: 'PushReport', ...report}, flags.output))
    if (!isQuietRun(this.argv)) process.stderr.write(formatPush(report))
    await show(`${report.reference}\n`)
  }
}
