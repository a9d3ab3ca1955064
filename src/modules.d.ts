declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}
declare module '*.css';
declare module '*.po' {
  export const messages: Record<string, unknown>;
}
declare module '*.po?texts' {
  export const texts: Record<string, string>;
}
// Icons are imported one by one; the package has types only for its index of six thousand modules.
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  export { IconFile as default } from '@tabler/icons-react';
}
declare module '*?url' {
  const address: string;
  export default address;
}
interface ImportMeta {
  /** One export of the modules that a pattern finds when the pages are built, in the order of their paths. */
  glob: {
    <Exported>(pattern: string, options: { eager: true; import: string }): Record<string, Exported>;
    /** Modules that are loaded when they are asked for. */
    <Module>(pattern: string | string[]): Record<string, () => Promise<Module>>;
    /** Modules as a whole. */
    <Module>(pattern: string, options: { eager: true }): Record<string, Module>;
  };
}
