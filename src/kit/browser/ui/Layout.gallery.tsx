import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Chip } from './Chip.tsx';
import { Box, Grid, List, Panel, Row, Stack, Table, Text } from './Layout.tsx';

const chips = (
  <>
    <Chip>Oak</Chip>
    <Chip kind="good">Elm</Chip>
    <Chip kind="warn">Ash</Chip>
  </>
);

export const layout: Section = {
  name: 'Layout',
  states: {
    Row: <Row gap={8}>{chips}</Row>,
    'Row that wraps, with its last child at the end': (
      <Row gap="4 16" align="center" wrap>
        <Text as="strong">A tree with a long name, beside the gate of the garden</Text>
        <Text tone="soft" size={13} ml="auto">
          At the end
        </Text>
      </Row>
    ),
    Stack: (
      <Stack gap={8} justify="start">
        {chips}
      </Stack>
    ),
    'Grid of two columns': (
      <Grid columns={2} gap="8 16">
        <Panel>Left</Panel>
        <Panel>{longWords}</Panel>
      </Grid>
    ),
    'List and Box': (
      <Box mt={12} mb={12}>
        <List>
          <li>Oak</li>
          <li>Elm</li>
        </List>
      </Box>
    ),
    Table: (
      <Table>
        <thead>
          <tr>
            <th scope="col">Tree</th>
            <th scope="col" data-kind="number">
              Height
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Oak</td>
            <td data-kind="number">21 m</td>
          </tr>
        </tbody>
      </Table>
    ),
    'Text on one line': (
      <Text tone="soft" size={13} breaks="ellipsis">
        North side, 21 m
      </Text>
    ),
    'Text that keeps its lines': <Text breaks="pre-line">{'First line\nSecond line'}</Text>,
  },
};
