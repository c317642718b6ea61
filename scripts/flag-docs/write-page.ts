// Writes docs/reference/flags.md from the commands.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {flagsPage} from './flags-page.js'

writeFileSync(join(import.meta.dirname, '../../docs/reference/flags.md'), await flagsPage())
