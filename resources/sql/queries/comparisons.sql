-- name: insert_comparison
INSERT INTO comparisons (id, task, device, driver, compiler, protocol, candidate_a, point_a,
  candidate_b, point_b, ratio, ratio_low, ratio_high,
                         margin, word, stopped_by, seconds, created)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18);

-- name: insert_comparison_case
INSERT INTO comparison_cases (comparison, ord, name, ratio, ratio_low, ratio_high, block_ratios)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: comparison_row
SELECT seq FROM comparisons WHERE id = ?1;

-- name: comparisons_of_candidate
SELECT * FROM comparison_records
WHERE seq IN (SELECT seq FROM comparisons
  WHERE candidate_a = (SELECT id FROM candidates WHERE hash = ?1)
              UNION SELECT seq FROM comparisons
                WHERE candidate_b = (SELECT id FROM candidates WHERE hash = ?1)
              ORDER BY seq DESC LIMIT ?2)
ORDER BY seq DESC;

-- name: get_comparison_cases
SELECT name, ratio, ratio_low, ratio_high, block_ratios FROM comparison_cases WHERE comparison = ?1
  ORDER BY ord;
