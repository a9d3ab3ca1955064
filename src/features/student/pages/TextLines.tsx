import { translate } from '#kit/browser/text.ts';
import { Box, List } from '#kit/browser/ui/Layout.tsx';
import type { Text } from '#kit/contract/text.ts';

/** The lines of a preview; nothing without any. */
export function TextLines({ lines }: { lines: readonly Text[] }) {
  if (lines.length === 0) return null;
  return (
    <List mt={12} mb={12}>
      {[...new Set(lines.map(translate))].map((line) => (
        <Box as="li" py={6} key={line}>
          {line}
        </Box>
      ))}
    </List>
  );
}
