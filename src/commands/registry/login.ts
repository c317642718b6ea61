import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {credentialCheck} from '../../cli/ports/credential-check.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {registryFlags} from '../../cli/flags/registry.js'
import {progress} from '../../cli/output/progress.js'
import {readPassword} from '../../cli/options/registry/read-password.js'
import {formatLogin} from '../../cli/output/show-login.js'
import {formatJson, show} from '../../cli/output/show.js'
import {registryAccounts} from '../../cli/wire.js'
import {login, parseRegistry} from '../../pipeline/login.js'

export default class Login extends Command {
  static override summary = 'Check a password with a registry and keep it where docker does.'
  static override description = `The password is read from standard input, shown to the registry, and kept only if that takes it: by the credential \
helper that docker's config.json names for the registry, or else in that file. REGISTRY_AUTH_FILE and DOCKER_CONFIG \
name another one. Who has logged in with docker need not do it again.`

  static override examples = [
    {
      description: 'Log in with a password that a password manager knows',
      command:
        'pass show registry | <%= config.bin %> <%= command.id %> registry.example.org --username anna --password-stdin',
    },
    {
      description: 'Log in to a registry with an authority of its own',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org:5000 --username anna --password-stdin --ca-file ca.pem < password',
    },
  ]

  static override args = {
    host: argument({required: true, description: 'The registry: HOST[:PORT], or docker.io.'}),
  }

  static override flags = {
    username: string({char: 'u', required: true, helpValue: 'NAME', summary: 'Name of your account.'}),
    'password-stdin': boolean({summary: 'Read the password from standard input; there is no other way.'}),
    ...outcomeOutputFlag,
    ...registryFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Login)
    const registry = parseRegistry(args.host)
    const password = await readPassword(flags['password-stdin'], process.stdin)
    const account = {registry, username: flags.username, password}
    const check = credentialCheck(flags, progress(this.argv).trace)
    const done = await login(account, await registryAccounts(), check)
    await show(flags.output === 'json' ? formatJson({kind: 'RegistryLogin', ...done}) : formatLogin(done))
  }
}
