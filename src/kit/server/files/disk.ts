import { statfs } from 'node:fs/promises';

/** Room on the disk of a folder, in bytes. */
export interface Disk {
  name: 'files' | 'backups';
  free: number;
  total: number;
}

/** Below a tenth, or below 2 GB, a disk is full before anybody looks. */
const leastShare = 0.1;
const least = 2e9;

export const isNearlyFull = ({ free, total }: Disk): boolean => free < least || free < leastShare * total;

/** Reads the room on the disks of folders; one that is not there yet is left out. */
export async function readDisks(folders: Record<Disk['name'], string>): Promise<Disk[]> {
  const names = ['files', 'backups'] as const;
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await statfs(folders[name]).catch(() => undefined);
      return stats ? [{ name, free: stats.bavail * stats.bsize, total: stats.blocks * stats.bsize }] : [];
    }),
  );
  return found.flat();
}
