declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}
declare module '*.css';
declare module '*.po' {
  export const messages: Record<string, unknown>;
}
// Icons are imported singly; the package's types name only its index, which is six thousand modules.
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  export { IconFile as default } from '@tabler/icons-react';
}
