-- name: insert_comparison
INSERT INTO comparisons (id, task, device, driver, compiler, protocol, candidate_a, point_a, candidate_b, point_b, ratio, ratio_low, ratio_high,
                         margin, word, stopped_by, seconds, created)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18);

-- name: insert_comparison_case
INSERT INTO comparison_cases (comparison, ord, name, ratio, ratio_low, ratio_high, block_ratios) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: comparisons_of_candidate
SELECT x.seq, x.id, x.created, t.hash, t.name, d.uuid, d.name, x.driver, x.compiler, x.protocol, a.hash, x.point_a, b.hash, x.point_b,
       x.ratio, x.ratio_low, x.ratio_high, x.margin, x.word, x.stopped_by, x.seconds
FROM comparisons x JOIN tasks t ON t.id = x.task JOIN devices d ON d.id = x.device
     JOIN candidates a ON a.id = x.candidate_a JOIN candidates b ON b.id = x.candidate_b
WHERE x.seq IN (SELECT seq FROM comparisons WHERE candidate_a = (SELECT id FROM candidates WHERE hash = ?1)
                UNION SELECT seq FROM comparisons WHERE candidate_b = (SELECT id FROM candidates WHERE hash = ?1)
                ORDER BY seq DESC LIMIT ?2)
ORDER BY x.seq DESC;

-- name: get_comparison_cases
SELECT name, ratio, ratio_low, ratio_high, block_ratios FROM comparison_cases WHERE comparison = ?1 ORDER BY ord;
