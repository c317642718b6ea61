import {describe, expect, it} from '@jest/globals'
import Compare from '../../src/commands/package/compare.js'
import Migrate from '../../src/commands/package/migrate.js'
import Move from '../../src/commands/package/move.js'
import Provides from '../../src/commands/package/provides.js'
import Uninstall from '../../src/commands/package/uninstall.js'
import Validate from '../../src/commands/package/validate.js'
import Versions from '../../src/commands/package/versions.js'
import Why from '../../src/commands/package/why.js'
import {argumentKind} from '../../src/completion/value-kind.js'

describe('the argument of a command', () => {
  it.each([
    {id: 'package compare', command: Compare, want: ['packages', 'packages']},
    {id: 'package migrate', command: Migrate, want: ['crds']},
    {id: 'package move', command: Move, want: ['installs', 'repositories']},
    {id: 'package provides', command: Provides, want: ['crds']},
    {id: 'package uninstall', command: Uninstall, want: ['installs']},
    {id: 'package validate', command: Validate, want: ['files']},
    {id: 'package versions', command: Versions, want: ['repositories']},
    {id: 'package why', command: Why, want: ['repositories', 'packages']},
  ])('of $id is completed as $want', ({id, command, want}) => {
    const kinds = Object.keys(command.args).map(name => argumentKind(id, {name}).kind)
    expect(kinds.slice(0, want.length)).toEqual(want)
  })
})
