import type { Page } from 'playwright-core';

/**
 * Texts whose contrast with what is behind them is too low to be read by everybody: below 4.5, or 3
 * where they are large. Source: WCAG 2.2, 1.4.3.
 */
export const lowContrasts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(LOW_CONTRASTS);

/** What a screen reader or a keyboard would stumble over. Source: WCAG 2.2, 1.3.1, 2.4.2, 2.4.7, 3.1.1, 3.3.2, 4.1.2. */
export const structureFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(STRUCTURE_FAULTS);

/** Run in the page, which has no types of ours. */
const LOW_CONTRASTS = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const groundOf = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = channels(getComputedStyle(one).backgroundColor);
      if (color[3] === undefined || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const ownText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const isField = element.matches('input:not([type=hidden], [type=radio], [hidden])');
    if ((!ownText && !isField) || element.closest('style, [hidden]')) continue;
    const style = getComputedStyle(element);
    const [one, other] = [channels(style.color), groundOf(element)].map(luminance);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) found.push(element.textContent.trim().slice(0, 40) + ': ' + contrast.toFixed(2));
  }
  return found;
})()`;

const STRUCTURE_FAULTS = `(() => {
  const faults = [];
  const expectThat = (holds, fault) => { if (!holds) faults.push(fault); };
  const all = (selector) => [...document.querySelectorAll(selector)];
  expectThat(document.documentElement.lang === 'en', 'no language');
  expectThat(document.title.endsWith('Hosted MCP') && document.title.length > 15, 'no title: ' + document.title);
  expectThat(document.querySelector('meta[name=viewport]'), 'no viewport');
  expectThat(all('main').length === 1, 'not one main');
  expectThat(all('h1').length === 1 && document.querySelector('h1').textContent.trim(), 'not one h1');
  expectThat(all('script, link, img, iframe, [style], [onclick]').length === 0, 'something foreign');
  const ids = all('[id]').map((one) => one.id);
  expectThat(new Set(ids).size === ids.length, 'an id twice');
  for (const field of all('input:not([type=hidden], [hidden])')) {
    const label = field.labels[0];
    expectThat(label && label.textContent.trim(), 'no label: ' + field.name);
    expectThat(field.type === 'radio' || field.autocomplete, 'no autocomplete: ' + field.name);
    const { height } = (field.type === 'radio' ? label : field).getBoundingClientRect();
    expectThat(height >= 24, 'too small: ' + field.name);
  }
  for (const group of all('fieldset')) expectThat(group.querySelector('legend'), 'no legend');
  for (const one of all('[aria-describedby], [aria-labelledby]')) {
    const refs = (one.getAttribute('aria-describedby') ?? one.getAttribute('aria-labelledby')).split(' ');
    expectThat(refs.every((ref) => ref && document.getElementById(ref)), 'describes nothing: ' + refs);
  }
  for (const link of all('a')) {
    expectThat(link.textContent.trim(), 'an empty link');
    const { hash } = link;
    if (link.getAttribute('href').startsWith('#')) expectThat(document.getElementById(hash.slice(1)), 'leads nowhere: ' + hash);
  }
  for (const fault of all('[aria-invalid=true]')) {
    expectThat(document.querySelector('[role=alert] a[href="#' + fault.id + '"]'), 'not in the summary: ' + fault.id);
  }
  for (const one of all('a, button, input:not([type=hidden], [hidden])')) {
    one.focus({ focusVisible: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    expectThat(document.activeElement === one, 'takes no focus: ' + one.outerHTML.slice(0, 60));
    expectThat(outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2, 'no visible focus: ' + one.outerHTML.slice(0, 60));
  }
  return faults;
})()`;
