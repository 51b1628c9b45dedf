import { describe, expect, test } from '@jest/globals';
import { withPinyin } from '../../../layers/openapi/schema/pinyin.ts';
import { propertiesOf, toolOf } from '../../support/openapi/compile.ts';

const string = { type: 'string' };

describe('a name in Chinese', () => {
  test.each([
    ['订单号', 'ding_dan_hao'],
    ['用户id', 'yong_hu_id'],
    ['get订单', 'get_ding_dan'],
    ['user_名称', 'user_ming_cheng'],
    ['创建时间', 'chuang_jian_shi_jian'],
    ['地址', 'di_zhi'],
    ['電話', 'dian_hua'],
    ['女', 'nv'],
    ['吖嘬', 'a_zuo'],
    ['名前リスト', '名前リスト'],
    ['name', 'name'],
    ['', ''],
  ])('is written by its sound: %s', (name, written) => {
    expect(withPinyin(name)).toBe(written);
  });

  test('is no text of thousands of characters, each of which takes a search', () => {
    const text = '订单号'.repeat(1000);

    expect(withPinyin(text)).toBe(text);
  });

  test('is that of an argument, which says what is sent', () => {
    const user = { type: 'object', properties: { 年龄: string, age: string } };
    const tool = toolOf({
      parameters: [{ name: '订单号', in: 'query', schema: string }],
      requestBody: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { 名称: string, 用户: user } },
          },
        },
      },
    });

    expect(propertiesOf(tool)).toEqual({
      ding_dan_hao: { ...string, description: 'Sent as query parameter "订单号".' },
      ming_cheng: { ...string, description: 'Sent as "名称".' },
      yong_hu: {
        type: 'object',
        description: 'Sent as "用户".',
        properties: {
          nian_ling: { ...string, description: 'Sent as "年龄".' },
          age: string,
        },
      },
    });
  });

  test('keeps arguments apart that sound alike', () => {
    const names = ['事', '是', '市'];
    const parameters = names.map((name) => ({ name, in: 'query', schema: string }));
    const found = toolOf({ parameters }).operation.parameters;

    expect(new Set(found.map(({ argument }) => argument)).size).toBe(3);
    expect(found.map(({ argument }) => argument)).toContain('shi');
  });
});
