import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Grid, List, Row, Stack, Table, Text } from './Layout.tsx';

afterEach(cleanup);

/** The classes of an element without their module. */
const classesOf = (element: Element | null) =>
  [...(element?.classList ?? [])].map((name) => name.replaceAll(/^_|_[0-9a-f]{6}$/g, ''));

test('a part gives its element the classes of its properties, its own class and the given one', () => {
  const { container } = render(
    <Row as="li" gap="4 16" align="center" wrap mt={8} className="soft" data-one="1">
      Oak
    </Row>,
  );
  const row = container.querySelector('li');
  expect(classesOf(row).toSorted()).toEqual(['align-center', 'gap-16', 'mt-8', 'row', 'rows-4', 'soft', 'wrap']);
  expect(row?.getAttributeNames().toSorted()).toEqual(['class', 'data-one']);
});

test('one number is the gap of rows and columns, and no gap is no class', () => {
  const { container } = render(
    <>
      <Stack gap={8} />
      <Grid gap="0 12" columns={2} />
    </>,
  );
  expect([...container.children].map((part) => classesOf(part).toSorted())).toEqual([
    ['gap-8', 'rows-8', 'stack'],
    ['columns-2', 'gap-12', 'stack'],
  ]);
});

test('a list has a class, which takes its points, and a table keeps the given one', () => {
  const { container } = render(
    <>
      <List as="ol" />
      <Table className="soft" />
      <Text tone="soft" end={false} />
    </>,
  );
  expect([...container.children].map(({ tagName }) => tagName)).toEqual(['OL', 'TABLE', 'P']);
  expect([...container.children].map(classesOf)).toEqual([['list'], ['table', 'soft'], ['tone-soft']]);
});
