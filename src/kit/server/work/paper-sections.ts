// Sections of facts on a paper.
import { StyleSheet, View } from '@react-pdf/renderer';
import { createElement as h } from 'react';
import type { WrittenPaper } from '#kit/server/paper/paper.ts';
import { brokenLinesOf, leading, slack, words } from './paper-fonts.ts';

type Sections = NonNullable<WrittenPaper['sections']>;
type Facts = Sections[number]['groups'][number]['facts'];

interface Measure {
  /** Of labels and values together, in points. */
  width: number;
  fontSize: number;
}

/** Between label and value. */
const gap = 12;
const labelShare = 0.36;
/** A longer fact may continue on the next page after each so many lines. */
const most = 10;

const line = '0.5 solid #cccccc';
const styles = StyleSheet.create({
  section: { fontSize: 11, fontWeight: 600, marginTop: 10, paddingBottom: 3, borderBottom: '1 solid #000000' },
  group: { fontWeight: 600, marginTop: 7, paddingBottom: 2, borderBottom: line },
  part: { flexDirection: 'row', columnGap: gap },
  first: { paddingTop: 2.5 },
  last: { paddingBottom: 2.5, borderBottom: line },
});

/** Sections whose headings stay with their first facts; the fonts must be loaded. */
export const sectionsOf = (sections: Sections, measure: Measure) =>
  sections.flatMap(({ title, groups }) =>
    groups.flatMap(({ title: part, facts }, index) => {
      const [first, ...others] = partsOf(facts, measure);
      const heads = [
        index === 0 && h(View, { style: styles.section }, words(title)),
        part && h(View, { style: styles.group }, words(part)),
      ];
      return [h(View, { wrap: false }, ...heads, first), ...others];
    }),
  );

/** The facts in parts, none of which a page may break. */
const partsOf = (facts: Facts, { width, fontSize }: Measure) =>
  facts.flatMap(([label, value]) => {
    const labelWidth = (width - gap) * labelShare;
    const valueWidth = width - gap - labelWidth;
    const linesIn = (text: string, room: number) =>
      text.split('\n').flatMap((paragraph) => brokenLinesOf(paragraph, (room - slack) / fontSize, 400));
    const labels = linesIn(label, labelWidth);
    const values = linesIn(value, valueWidth);
    const count = Math.ceil(Math.max(labels.length, values.length, 1) / most);
    const at = (lines: readonly string[], index: number) =>
      lines
        .slice(index * most, (index + 1) * most)
        .map((text) => h(View, { style: { height: fontSize * leading } }, words(text)));
    return Array.from({ length: count }, (_, index) =>
      h(
        View,
        {
          wrap: false,
          style: [styles.part, ...(index === 0 ? [styles.first] : []), ...(index === count - 1 ? [styles.last] : [])],
        },
        h(View, { style: { width: labelWidth, color: '#444444' } }, ...at(labels, index)),
        h(View, { style: { width: valueWidth } }, ...at(values, index)),
      ),
    );
  });
