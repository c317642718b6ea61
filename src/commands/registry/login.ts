import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {credentialCheck} from '../../cli/registry/credential-check.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {outcomeOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {registryFlags} from '../../cli/registry/registry-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {readAccount} from '../../cli/registry/read-account.js'
import {formatLogin} from '../../cli/registry/show-login.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {registryAccounts} from '../../cli/wire.js'
import {login, parseRegistry} from '../../pipeline/login.js'

export default class Login extends Command {
  static override summary = 'Log in to a registry'
  static override description = `Checks the password with the registry and stores it in the same place as docker: with the credential helper of the registry, \
or in config.json. REGISTRY_AUTH_FILE or DOCKER_CONFIG select another file. If podman or skopeo have credentials for the \
registry, these are replaced. Existing logins of docker, podman and skopeo are used as they are.`

  static override examples = [
    {
      description: 'Log in, entering user name and password at prompts',
      command: '<%= config.bin %> <%= command.id %> registry.example.org',
    },
    {
      description: 'Log in with the password of a password manager',
      command:
        'pass show registry | <%= config.bin %> <%= command.id %> registry.example.org --username anna --password-stdin',
    },
    {
      description: 'Log in to a registry with a private CA',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org:5000 --username anna --password-stdin --ca-file ca.pem < password',
    },
  ]

  static override args = {
    host: argument({required: true, description: 'Registry: HOST[:PORT], or docker.io'}),
  }

  static override flags = {
    username: string({char: 'u', helpValue: 'NAME', summary: 'User name; prompted for on a terminal'}),
    password: string({char: 'p', hidden: true, summary: 'Not supported'}),
    'password-stdin': boolean({summary: 'Read the password from standard input'}),
    ...outcomeOutputFlag,
    ...registryFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Login)
    const registry = parseRegistry(args.host)
    const account = {registry, ...(await readAccount(flags, args.host, process.stdin, process.stderr))}
    const shown = progress(this.argv)
    const check = credentialCheck(flags, shown)
    const done = await login(account, await registryAccounts(), check).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatLogin(done)
        : formatDocument({kind: 'RegistryLogin', ...done}, flags.output),
    )
  }
}
