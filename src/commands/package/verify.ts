import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {verifyCommandFlags} from '../../cli/inspect/verify-flags.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {expectSigned, formatSignatures, signatureWarnings} from '../../cli/inspect/show-signatures.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {givenVerification} from '../../cli/inspect/given-verification.js'

export default class Verify extends Command {
  static override summary = 'Verify the signatures of packages'
  static override description = `Verifies signatures and attestations for exactly the digest of a package, without contacting a transparency log or a certificate \
authority: bundles of cosign that refer to the image, and the .sig and .att tags of its older versions. Prints what each signer \
states. Exits with 4 if something is not signed as required.

With --policy, the rules of the policy decide, and the images that the package runs are verified as well. With --declaration, \
every package of its lock, or of its resolution without a lock, and every image are verified by the policy that it names. Of a \
bundle (FILE.tar or a folder), everything is verified without a registry.`

  static override examples = [
    {
      description: 'Verify that a key has signed a package',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --key cosign.pub',
    },
    {
      description: 'Verify that a workflow of a repository has signed it',
      command:
        "<%= config.bin %> <%= command.id %> registry.example.org/team/provider:v0.1.0 --certificate-identity 'https://github.com/example/provider/.github/workflows/release.yaml@refs/tags/*' --certificate-oidc-issuer https://token.actions.githubusercontent.com --trusted-root trusted_root.json",
    },
    {
      description: 'Verify the packages and images of a declaration by its policy',
      command: '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml',
    },
    {
      description: 'Verify a bundle offline',
      command: '<%= config.bin %> <%= command.id %> packages.tar --policy policy.yaml',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['key', 'policy', 'declaration', 'packages', 'offline', 'output', 'quiet']

  static override args = {
    ref: argument({
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], or a bundle: FILE.tar or DIR (default: those of the declaration)',
    }),
  }

  static override flags = {...verifyCommandFlags, ...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags, raw} = await this.parse(Verify)
    const shown = progress(this.argv)
    const words = {ref: args.ref, flags, flagNames: writtenFlags(raw)}
    const report = await givenVerification(words, shown).finally(shown.end)
    signatureWarnings(report).forEach(shown.warn)
    await show(
      flags.output === 'text'
        ? formatSignatures(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'SignatureReport', ...report}, flags.output),
    )
    expectSigned(report)
  }
}
