/** Root can read everything: it becomes another user meanwhile. */
export async function unprivileged(act: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(31_001)
  try {
    await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
