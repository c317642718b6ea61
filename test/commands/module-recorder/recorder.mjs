// Given to node with --import: writes every module that a process loads to the file named by MODULE_LIST.
import {appendFileSync} from 'node:fs'
import {createRequire, register} from 'node:module'

const list = process.env.MODULE_LIST ?? ''
register('./hooks.mjs', import.meta.url, {data: list})

const {cache} = createRequire(import.meta.url)
process.on('exit', () => appendFileSync(list, `${Object.keys(cache).join('\n')}\n`))
