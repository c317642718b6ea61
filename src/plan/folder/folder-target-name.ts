/** The kind of target in operations on an output folder. */
export const FOLDER_TARGET = 'folder'
